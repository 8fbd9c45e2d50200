import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { identityOf, isAlive } from '../../system/process-identity.ts';
import { thisHost, type StartedFence } from '../../agents/containment/fence.ts';
import type { ProcessIdentity } from '../../system/process-entry.ts';
import { reapLost } from '../../host/reap-lost.ts';
import { attemptPaths, runPaths } from '../../workspaces/run-paths.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ralphHome = tempFolder('reap-lost');

/** An attempt with a fence and no outcome, and a process in its group that goes on. */
function attempt(runId: string, worker: ProcessIdentity): { left: ProcessIdentity } {
  const paths = attemptPaths(runPaths(ralphHome, runId), 1, 1);
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

test('ends what a dead worker left, and leaves a live worker its round', async () => {
  const own = identityOf(process.pid);
  if (own === null) throw new Error('this process does not find itself');
  const { left: lost } = attempt('lost', { pid: own.pid, startTime: '1' });
  const { left: held } = attempt('held', own);
  try {
    const reaped = await reapLost(ralphHome);
    expect(reaped.map(({ runId, round }) => [runId, round])).toEqual([['lost', 1]]);
    expect(reaped[0]?.receipt).toMatchObject({ cause: 'worker-lost', proof: 'observed', killed: [{ pid: lost.pid }] });
    expect(isAlive(lost)).toBe(false);
    expect(isAlive(held)).toBe(true);
    expect(await reapLost(ralphHome)).toEqual([]);
  } finally {
    process.kill(held.pid, 'SIGKILL');
  }
});
