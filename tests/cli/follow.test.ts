import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { waitFor } from '../support/wait-for.ts';
import { here } from './support/here.ts';
import { appending, endless, reporting } from './support/agents.ts';
import { git, makeRepository } from './support/repository.ts';
import { tagged } from './support/tagged.ts';
import { type Ended, ralph, type Scratch, scratch, start } from './support/ralph.ts';

let place: Scratch;
let home: string;
let repository: string;

const inRepository = (...args: string[]): Promise<Ended> => ralph(args, { home, cwd: repository });
/** Read in this process, which is faster. */
const read = (...args: string[]): Promise<Ended> => here(args, { home });
const shown = async (id: string) => JSON.parse((await read('show', id, '--json')).stdout);

/** Resolves once the run's agent is at work. */
async function atWork(id: string): Promise<void> {
  const { child, until } = start(['log', id, '--follow'], { home });
  await until(/^started$/m);
  child.kill('SIGINT');
}

beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'first\n' });
  // A lost worker is missed soon.
  await writeFile(path.join(home, 'config.json'), JSON.stringify({ heartbeatTimeoutMs: 3_000 }));
  await ralph(['up'], { home });
});
afterAll(() => place.remove());

test('Ctrl-C on a followed run detaches and says how to go on; two cancels at once both return with the proof, and nothing is left', async () => {
  const tag = '98761.5';
  const followed = start(['run', 'o', '--id', 'endless', '--command', endless(tag)], { home, cwd: repository });
  await followed.until(/Run endless/);
  await atWork('endless');
  followed.child.kill('SIGINT');
  const detached = await followed.ended;
  expect(detached.code).toBe(0);
  expect(detached.stderr).toMatch(
    /Detached; endless continues\. +Follow: ralph watch endless +End: ralph cancel endless/,
  );
  // Its worker says every second what it does.
  await waitFor('a round that is shown', 10_000, async () => (await shown('endless')).phase.doing.attempt !== null);
  expect(await shown('endless')).toMatchObject({ status: 'running', rounds: [{ kind: 'running' }] });
  expect(await tagged(tag)).not.toEqual([]);

  const refused = await inRepository('down');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/A run is live: endless\..*--force/) });

  const [one, two] = await Promise.all([
    inRepository('cancel', 'endless', '--reason', 'seen enough'),
    inRepository('cancel', 'endless', '--reason', 'seen enough', '--json'),
  ]);
  expect(await tagged(tag)).toEqual([]);
  expect([one.code, two.code]).toEqual([0, 0]);
  expect(one.stdout).toMatch(/^endless: cancelled/m);
  expect(one.stdout).toMatch(/no process is left/);
  expect(JSON.parse(two.stdout)).toMatchObject({
    status: 'cancelled',
    phase: { receipt: { cause: 'cancelled' } },
  });
  expect(await shown('endless')).toMatchObject({
    phase: { how: { ending: { status: 'cancelled', reason: 'seen enough' } } },
  });
  expect((await inRepository('watch', 'endless')).code).toBe(14);
  const again = await inRepository('cancel', 'endless');
  expect(again).toMatchObject({ code: 0, stderr: expect.stringMatching(/has already ended/) });
});

test('a worker that is killed under a followed run is started again, and the round is attempted again', async () => {
  const once = `if [ "$(cat a.txt)" = first ]; then cat >/dev/null; echo more >> a.txt; echo started; sleep 98762; fi; ${reporting({ status: 'complete', summary: 'second attempt' })}`;
  const followed = start(['run', 'o', '--id', 'killed', '--command', once], { home, cwd: repository });
  await followed.until(/Run killed/);
  await atWork('killed');
  const { worker, watchdog } = JSON.parse((await read('status', '--json')).stdout);
  // It would be faster.
  process.kill(watchdog.pid, 'SIGKILL');
  process.kill(worker.pid, 'SIGKILL');
  const { code, stdout } = await followed.ended;
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/the worker had died; another worker was started/);
  expect(stdout).toMatch(/^! round 1 {2}worker-lost/m);
  expect(stdout).toMatch(/^· round 1, attempt 2 {2}claims completion/m);
  expect(git(repository, 'show', 'ralph/killed:a.txt')).toBe('first\nmore');
});

test('a run that somebody terminates is shown as such, with what disposal then found, and nothing of it is left', async () => {
  const tag = '98763.5';
  const followed = start(['run', 'o', '--id', 'ended', '--command', endless(tag)], { home, cwd: repository });
  await followed.until(/Run ended/);
  await atWork('ended');
  const { temporal } = JSON.parse((await read('status', '--json')).stdout);
  const connection = await Connection.connect({ address: temporal.address });
  await new Client({ connection }).workflow.getHandle('ended').terminate('enough');
  await connection.close();
  const { code, stdout } = await followed.ended;
  expect(code).toBe(15);
  expect(stdout).toMatch(/^ended: terminated from outside/m);
  expect(stdout).toMatch(/^ {2}no process is left/m);
  expect(await tagged(tag)).toEqual([]);
  expect(await shown('ended')).toMatchObject({
    status: 'terminated',
    phase: { receipt: { cause: 'terminated', left: [] } },
  });
});

test('with a Temporal of the user’s own nothing is started, and runs and cancels wait for a worker that the user starts', async () => {
  const { temporal } = JSON.parse((await read('status', '--json')).stdout);
  const other = path.join(place.folder, 'other');
  await mkdir(other, { mode: 0o700 });
  const env = { TEMPORAL_ADDRESS: temporal.address };
  const args = ['run', 'o', '--id', 'elsewhere', '--detach', '--command', appending(1)];
  const started = await ralph(args, { home: other, cwd: repository, env });
  expect(started.code).toBe(0);
  expect(started.stderr).toMatch(/No worker of this RALPH_HOME is alive: .*`ralph up`/);
  const status = JSON.parse((await here(['status', '--json'], { home: other, env })).stdout);
  expect(status).toMatchObject({
    temporal: { source: 'external', reachable: true, server: null },
    worker: { kind: 'down' },
    liveRuns: ['elsewhere'],
  });
  // Somebody else's key: a run of theirs is none of ours.
  expect(JSON.parse((await read('status', '--json')).stdout).liveRuns).toEqual([]);
  const unwanted = ['run', 'o', '--id', 'unwanted', '--detach', '--command', appending(1)];
  expect((await ralph(unwanted, { home: other, cwd: repository, env })).code).toBe(0);
  const cancelling = start(['cancel', 'unwanted'], { home: other, env });
  await cancelling.until(/no worker is alive/i);
  expect(cancelling.child.exitCode).toBeNull();
  expect((await ralph(['up'], { home: other, env })).code).toBe(0);
  expect(await cancelling.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^unwanted: cancelled/m) });
  expect(existsSync(runPaths(other, 'unwanted').tree)).toBe(false);
  expect((await ralph(['watch', 'elsewhere'], { home: other, env })).code).toBe(0);
  const down = await ralph(['down'], { home: other, env });
  expect(down).toMatchObject({ code: 0, stdout: 'Worker stopped.\n' });
});
