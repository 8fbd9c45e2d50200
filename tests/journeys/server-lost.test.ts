import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { homePaths } from '../../host/home-paths.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { kill, place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('server-lost');

test('a server killed in mid-round comes back by its worker, and the round goes on or is attempted again', async () => {
  const story = ralph.story([
    { files: { 'one.txt': '1' }, sleep: 90, report: goOn('first') },
    { report: done('last') },
  ]);
  await story.detach();
  await story.started(1);
  const server = await ralph.server();
  await kill(server);
  const watching = ralph.start('watch', story.id);
  await waitFor('another server', 40_000, async () => (await ralph.server().catch(() => server)) !== server);
  story.agent.go();
  expect(await watching.ended).toMatchObject({ code: 0 });
  expect(story.agent.overlapped()).toBe(false);
  expect((await story.ledger()).at(-1)).toMatch(/complete/);
  expect(story.repository.git('show', `ralph/${story.id}:one.txt`)).toBe('1');
});

test('both killed at once, as by a reboot: `watch` starts both, and the run goes on where it stood, with the budget it had left', async () => {
  const use = { inputTokens: 1_000, outputTokens: 0 };
  const story = ralph.story([
    { use, report: goOn('first') },
    { use, files: { 'half.txt': 'half' }, leave: 91, sleep: 90 },
    { use, report: goOn('second') },
    { use, report: done('third') },
  ]);
  // A third round fits only if what was used before the kill is forgotten.
  await story.detach('--max-tokens', '4000');
  await waitFor('the work of round 2', 40_000, () => existsSync(path.join(story.paths.tree, 'half.txt')));
  await Promise.all([ralph.killWorker(), kill(await ralph.server())]);
  await waitFor('the end of the agent', 5_000, () => story.alive().length === 0);
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 11 });
  expect(await story.ledger()).toEqual(['1.1 continue', '2.1 worker-lost', '2.2 continue']);
  expect(await readEnding(story.paths)).toMatchObject({
    ending: { status: 'budget-limited', budget: 'tokens' },
    state: { spent: { tokens: 3_000 } },
  });
  expect(story.agent.starts()[2]?.files).toContain('half.txt');
  expect(story.agent.overlapped()).toBe(false);
});

test('a port that somebody else took meanwhile is passed over: the runs are in the database, not at the address', async () => {
  const story = ralph.story([{ sleep: 90 }, { report: done('last') }]);
  await story.detach();
  await story.started(1);
  const holder = JSON.parse(readFileSync(homePaths(ralph.home).server.holder, 'utf8'));
  const { port } = z.object({ fields: z.object({ port: z.number() }) }).parse(holder).fields;
  await Promise.all([ralph.killWorker(), kill(await ralph.server())]);
  const stranger = await waitFor('the port', 10_000, () => listen(port));
  try {
    expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  } finally {
    stranger.close();
  }
});

/** A server of somebody else's; null while the port is taken: a process ends before the last of its threads does. */
function listen(port: number): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
