import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { identityOf, isAlive } from '../../system/process-identity.ts';
import { thisHost, type StartedFence } from '../../agents/containment/fence.ts';
import type { ProcessIdentity } from '../../system/process-entry.ts';
import { reapLost } from '../../host/reap-lost.ts';
import { attemptPaths, checkPaths, reviewPaths, runPaths, type AttemptPaths } from '../../workspaces/run-paths.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ralphHome = tempFolder('reap-lost');

/** A folder with a fence and no outcome, and a process in its group that goes on. */
function leftIn(paths: AttemptPaths, worker: ProcessIdentity): { left: ProcessIdentity } {
  mkdirSync(paths.root, { recursive: true });
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  child.unref();
  const left = identityOf(child.pid ?? 0);
  if (left === null) throw new Error('sleep did not start');
  const fence: StartedFence = {
    kind: 'started',
    mechanism: 'process-group',
    host: thisHost(),
    worker,
    container: [{ ...left }],
    marker: null,
    endFile: null,
    tempFolder: null,
    at: new Date().toISOString(),
  };
  writeFileSync(paths.fence, JSON.stringify(fence));
  return { left };
}

const own = (): ProcessIdentity => {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('this process does not find itself');
  return identity;
};
const deadWorker = (): ProcessIdentity => ({ pid: own().pid, startTime: '1' });

test('ends what a dead worker left, and leaves a live worker its round', async () => {
  const { left: lost } = leftIn(attemptPaths(runPaths(ralphHome, 'lost'), 1, 1), deadWorker());
  const { left: held } = leftIn(attemptPaths(runPaths(ralphHome, 'held'), 1, 1), own());
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
  const lost = [checkPaths(run, 0, 1).step(1), checkPaths(run, 2, 3).step(0), reviewPaths(run, 2, 1)].map(
    (paths) => leftIn(paths, deadWorker()).left,
  );
  const reaped = await reapLost(ralphHome);
  expect(reaped.map(({ round, attempt, folder }) => [round, attempt, folder])).toEqual([
    [0, null, 'gates-1/step-1'],
    [2, null, 'gates-3/step-0'],
    [2, null, 'review-1'],
  ]);
  expect(lost.map(isAlive)).toEqual([false, false, false]);
});
