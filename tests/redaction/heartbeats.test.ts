import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { reporting } from '../cli/support/agents.ts';
import { makeRepository } from '../cli/support/repository.ts';
import { ralph, type Scratch, scratch, start } from '../cli/support/ralph.ts';
import { findPlanted, type Haystack } from '../support/find-planted.ts';
import { waitFor } from '../support/wait-for.ts';

const PLANTED = 'Pl4nted+Key/0f-the_Heartbeats==w8x7';
/** Not known to be a secret: what the search finds where it was let through. */
const UNKNOWN = 'Unknown+W0rd/of-the_Agent==q3z9';

/** What an agent says that it is doing; the last one is longer than what is shown of it. */
const SAYINGS = [
  'with the key $PLANTED_KEY',
  'with $(printf %s "$PLANTED_KEY" | base64 -w0)',
  `with ${'x'.repeat(110)} $PLANTED_KEY`,
];
/** Says one after the other, each once it is told to. */
const SAYING = SAYINGS.map(
  (saying, index) => `echo "${index} ${UNKNOWN} ${saying}"; until [ -e heard-${index} ]; do sleep 0.05; done`,
).join('\n');

let place: Scratch;
let repository: string;
beforeAll(async () => {
  place = await scratch();
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'first\n' });
  writeFileSync(path.join(place.home, 'env'), `PLANTED_KEY=${PLANTED}\nRALPH_AGENT_ENV=PLANTED_KEY\n`, { mode: 0o600 });
});
afterAll(() => place.remove());

/** What Temporal holds of the heartbeats of the run's activity under way, each payload as JSON. */
async function heartbeatsOf(connection: Connection, namespace: string, workflowId: string): Promise<Haystack[]> {
  const { pendingActivities } = await connection.workflowService.describeWorkflowExecution({
    namespace,
    execution: { workflowId },
  });
  const payloads = (pendingActivities ?? []).flatMap(({ heartbeatDetails }) => heartbeatDetails?.payloads ?? []);
  return payloads.map(({ data }) => ({ where: 'a heartbeat', bytes: Buffer.from(data ?? []) }));
}

test('a key in what an agent says that it is doing is in no heartbeat, and what is no key is found there', async () => {
  const command = `${SAYING}\n${reporting({ status: 'complete', summary: 'said it all' })}`;
  const running = start(['run', 'Say it.', '--id', 'saying', '--command', command], {
    home: place.home,
    cwd: repository,
  });
  await running.until(/round 1|preparing|starting/);
  const { temporal } = await waitFor('the server', 60_000, async () => {
    const status = JSON.parse((await ralph(['status', '--json'], { home: place.home })).stdout);
    return status.liveRuns.length > 0 ? status : null;
  });
  const connection = await Connection.connect({ address: temporal.address });
  try {
    for (const index of SAYINGS.keys()) {
      const heard = await waitFor(`the heartbeat of saying ${index}`, 20_000, async () => {
        const heartbeats = await heartbeatsOf(connection, temporal.namespace, 'saying');
        return heartbeats.some(({ bytes }) => bytes.includes(`${index} ${UNKNOWN}`)) ? heartbeats : null;
      });
      expect(findPlanted(heard, UNKNOWN)).toEqual(['a heartbeat']);
      expect(findPlanted(heard, PLANTED)).toEqual([]);
      // Nor a part of it that was cut off before it could be known.
      expect(findPlanted(heard, PLANTED.slice(0, 8))).toEqual([]);
      expect(heard.map(({ bytes }) => bytes.toString()).join()).toMatch(/\[redacted/);
      writeFileSync(path.join(place.home, 'runs/saying/tree', `heard-${index}`), '');
    }
  } finally {
    await connection.close();
  }
  expect((await running.ended).code).toBe(0);
});
