import { mkdirSync } from 'node:fs';
import { isAlive } from '../../system/processes/process-identity.ts';
import { reapLost } from '../../host/worker-process/reap-lost.ts';
import { attemptPaths, checkPaths, reviewPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { deadWorker, leftBehind, thisProcess } from '../support/left-behind.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ralphHome = tempFolder('reap-lost');

test('ends what a dead worker left, and leaves a live worker its round', async () => {
  const lost = leftBehind(attemptPaths(runPaths(ralphHome, 'lost'), 1, 1), deadWorker());
  const held = leftBehind(attemptPaths(runPaths(ralphHome, 'held'), 1, 1), thisProcess());
  try {
    const reaped = await reapLost(ralphHome);
    expect(reaped.map(({ runId, round, attempt }) => [runId, round, attempt])).toEqual([['lost', 1, 1]]);
    expect(reaped[0]?.receipt).toMatchObject({ cause: 'worker-lost', proof: 'observed', killed: [{ pid: lost.pid }] });
    expect(isAlive(lost)).toBe(false);
    expect(isAlive(held)).toBe(true);
    expect(await reapLost(ralphHome)).toEqual([]);
  } finally {
    process.kill(held.pid, 'SIGKILL');
  }
});

test('the same goes for gates before round 1, gates after the last round, and reviews', async () => {
  const run = runPaths(ralphHome, 'checked');
  mkdirSync(attemptPaths(run, 2, 1).root, { recursive: true });
  const lost = [checkPaths(run, 0, 1).step(1), checkPaths(run, 2, 3).step(0), reviewPaths(run, 2, 1)].map((paths) =>
    leftBehind(paths, deadWorker()),
  );
  const reaped = await reapLost(ralphHome);
  expect(reaped.map(({ round, attempt, folder }) => [round, attempt, folder])).toEqual([
    [0, null, 'gates-1/step-1'],
    [2, null, 'gates-3/step-0'],
    [2, null, 'review-1'],
  ]);
  expect(lost.map(isAlive)).toEqual([false, false, false]);
});
