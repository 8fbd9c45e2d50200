import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../../agents/containment/dispose/wait-until.ts';
import { attemptOf, disposeCase, workerKilledCase } from './disposal-cases.ts';
import type { Setting } from './disposal-cases.ts';
import { standInWorkers } from './stand-in-workers.ts';
import type { StandInWorker } from './stand-in-worker.ts';

// The whole table, as root and as an ordinary user, is tests/matrix/containment.test.ts.
const holds = [
  { mechanism: 'bubblewrap', level: 'workspace-write' },
  { mechanism: 'subreaper', level: 'full-access' },
] as const;

const { built, folder: scratch, start } = standInWorkers();

const EARLIER = { cause: 'worker-lost', proveMs: 5_000 };

describe.each(holds)('$mechanism', (hold) => {
  test.each(['cancel', 'end'] as const)('leaves no survivor when dispose returns: %s', async (ending) => {
    const worker = await start();
    const findings: (string | null)[] = [];
    for (const standIn of ['nohup', 'pipe', 'sigterm', 'hotspawn', 'combo']) {
      findings.push(await disposeCase(worker, { ...built, ...hold }, { standIn, ending }));
    }
    expect(findings.filter((finding) => finding !== null)).toEqual([]);
  });

  test('leaves no survivor when its worker is killed, and a later worker proves it', async () => {
    expect(await workerKilledCase({ ...built, ...hold }, 'combo')).toBeNull();
  });

  test('ends the agent of a worker that was only stopped before a later attempt may start', async () => {
    const setting: Setting = { ...built, ...hold };
    const stopped = await start();
    const attempt = attemptOf(setting, { standIn: 'combo', endsByItself: false });
    await stopped.ask({ start: { mechanism: hold.mechanism, command: attempt.command } });
    expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
    stopped.signal('SIGSTOP');

    const later = await start();
    const { fenceFile } = attempt.command;
    const { receipt } = await later.ask({ earlier: { fenceFile, ...EARLIER } });
    expect(stopped.survivors()).toEqual([]);
    expect(receipt?.proof).toMatch(/^(namespace-gone|echild)$/);

    // The stopped worker comes back and finds its agent gone.
    stopped.signal('SIGCONT');
    expect(await stopped.ask({ wait: true })).toHaveProperty('exit');
    const again = await stopped.ask({ start: { mechanism: hold.mechanism, command: attempt.command } });
    expect(again.error?.code).toBe('attempt-fenced-off');
    expect(stopped.survivors()).toEqual([]);
  });

  test('starts nothing for an attempt that a later one closed before it began', async () => {
    const setting: Setting = { ...built, ...hold };
    const worker = await start();
    const attempt = attemptOf(setting, { script: ': > "$ARMED"; sleep 60' });
    const { fenceFile } = attempt.command;
    const { receipt } = await worker.ask({ earlier: { fenceFile, ...EARLIER } });
    expect(receipt?.proof).toBe('nothing-started');
    const late = await worker.ask({ start: { mechanism: hold.mechanism, command: attempt.command } });
    expect(late.error?.code).toBe('attempt-fenced-off');
    expect(attempt.armed()).toBe(false);
    expect(worker.survivors()).toEqual([]);
  });
});

test('a container of which it cannot be said what makes it up is ended, not left to wait', async () => {
  const folder = path.join(scratch, 'silent-bwrap');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'bwrap'), '#!/bin/sh\nexec /usr/bin/bwrap "$@" 3>/dev/null\n', { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH ?? ''}` };
  const worker = await start({ env });
  const setting: Setting = { ...built, mechanism: 'bubblewrap', level: 'workspace-write' };
  const attempt = attemptOf(setting, { script: ': > "$ARMED"; sleep 60' });
  const answer = await worker.ask({ start: { mechanism: 'bubblewrap', command: attempt.command } });
  expect(answer.error?.code).toBe('container-failed');
  expect(await waitUntil(() => worker.survivors().length === 0, 2_000)).toBe(true);
  expect(attempt.armed()).toBe(false);
});

test('an agent inside a namespace cannot end its engine with pkill', async () => {
  const setting: Setting = { ...built, mechanism: 'bubblewrap', level: 'full-access' };
  const worker = await start();
  const attempt = attemptOf(setting, { script: 'pkill -9 node; pkill -9 bwrap; : > "$ARMED"; exit 7' });
  await worker.ask({ start: { mechanism: 'bubblewrap', command: attempt.command } });
  expect(await worker.ask({ wait: true })).toEqual({ exit: { code: 7, signal: null } });
  expect(attempt.armed()).toBe(true);
  const { receipt } = await worker.ask({ dispose: { cause: 'finished', graceMs: 0, proveMs: 5_000 } });
  expect(receipt?.proof).toBe('namespace-gone');
});

/** Takes the latch's end of its socket to the worker, where the system lets a process do that to its parent's parent. */
const FLOODING = `
import ctypes, os
libc = ctypes.CDLL(None)
def parent(pid): return int(open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[1])
latch = parent(os.getppid())
taken = libc.syscall(438, libc.syscall(434, latch, 0), 4, 0)
for i in range(1000 if taken > 0 else 0): os.write(taken, b"x" * 1000000)
`;

test('a command that floods its latch holds up nobody: its worker hears no more of it, and disposes of it', async () => {
  const setting: Setting = { ...built, mechanism: 'bubblewrap', level: 'workspace-write' };
  const worker = await start();
  const attempt = attemptOf(setting, { script: `python3 -c '${FLOODING}'; : > "$ARMED"; sleep 60` });
  await worker.ask({ start: { mechanism: 'bubblewrap', command: attempt.command } });
  expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
  const { receipt } = await worker.ask({ dispose: { cause: 'cancelled', graceMs: 100, proveMs: 5_000 } });
  expect(receipt?.proof).toBe('namespace-gone');
  expect(worker.survivors()).toEqual([]);
});

test('a subreaper that its agent kills proves nothing: what it left is looked for, ended and called observed', async () => {
  const setting: Setting = { ...built, mechanism: 'subreaper', level: 'full-access' };
  const worker = await start();
  const attempt = attemptOf(setting, {
    script: 'subreaper=$PPID; setsid sleep 60 & nohup sleep 60 & kill -9 $subreaper; : > "$ARMED"; sleep 60',
  });
  await worker.ask({ start: { mechanism: 'subreaper', command: attempt.command } });
  expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
  const { receipt } = await worker.ask({ dispose: { cause: 'cancelled', graceMs: 100, proveMs: 5_000 } });
  expect(receipt).toMatchObject({ proof: 'observed', left: [] });
  expect(receipt?.killed.length).toBeGreaterThanOrEqual(3);
  expect(worker.survivors()).toEqual([]);
});

test('the process group ends what it can see, and calls it observed', async () => {
  const setting: Setting = { ...built, mechanism: 'process-group', level: 'full-access' };
  const worker = await start();
  const attempt = attemptOf(setting, { standIn: 'combo', endsByItself: false });
  await worker.ask({ start: { mechanism: 'process-group', command: attempt.command } });
  expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
  const { receipt } = await worker.ask({ dispose: { cause: 'cancelled', graceMs: 100, proveMs: 5_000 } });
  expect(receipt?.proof).toBe('observed');
  expect(worker.survivors()).toEqual([]);
});

test.each([
  { mechanism: 'bubblewrap', level: 'workspace-write' },
  { mechanism: 'subreaper', level: 'full-access' },
  { mechanism: 'process-group', level: 'full-access' },
] as const)(
  'an agent behind a shell hears that it is to end, and has its grace: $mechanism',
  async ({ mechanism, level }) => {
    const worker = await start();
    const attempt = attemptOf(
      { ...built, mechanism, level },
      // The shell neither becomes its last command nor hands a signal on.
      { script: `sh -c 'trap "sleep 0.5; : > \\"$ARMED\\"; exit 0" TERM; while :; do sleep 0.05; done'; true` },
    );
    await worker.ask({ start: { mechanism, command: attempt.command } });
    await waitUntil(() => worker.survivors().some((line) => line.includes('sleep')), 10_000);
    const { receipt } = await worker.ask({ dispose: { cause: 'cancelled', graceMs: 300_000, proveMs: 5_000 } });
    // It ended by itself, long before its grace was over.
    expect(attempt.armed()).toBe(true);
    expect(receipt).toMatchObject({ killed: [], left: [] });
    expect(worker.survivors()).toEqual([]);
  },
);

function limitFiles(worker: StandInWorker, files: number): void {
  execFileSync('prlimit', [`--nofile=${files}:4096`, '--pid', String(worker.pid)]);
}

/** An agent under way in a worker that can open nothing any more. */
async function startUnseen(): Promise<{ worker: StandInWorker; fenceFile: string }> {
  const setting: Setting = { ...built, mechanism: 'bubblewrap', level: 'workspace-write' };
  const worker = await start();
  // What is imported late would be in want of one too.
  await worker.ask({
    earlier: { fenceFile: path.join(scratch, 'none.json'), ...EARLIER },
  });
  const attempt = attemptOf(setting, { standIn: 'sigterm', endsByItself: false });
  await worker.ask({ start: { mechanism: 'bubblewrap', command: attempt.command } });
  expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
  limitFiles(worker, 1);
  return { worker, fenceFile: attempt.command.fenceFile };
}

describe('a worker that has no file descriptor left', () => {
  test('does not take what it cannot see for gone', async () => {
    const { worker, fenceFile } = await startUnseen();
    const { receipt } = await worker.ask({ dispose: { cause: 'cancelled', graceMs: 50, proveMs: 300 } });
    expect(receipt).toMatchObject({ proof: 'unproved', left: [{ why: expect.stringMatching(/EMFILE/) }] });
    limitFiles(worker, 1024);
    const { receipt: later } = await worker.ask({ earlier: { fenceFile, ...EARLIER } });
    expect(later?.proof).toBe('namespace-gone');
    expect(worker.survivors()).toEqual([]);
  });

  test('proves it as soon as it has one again', async () => {
    const { worker } = await startUnseen();
    const answer = worker.ask({ dispose: { cause: 'cancelled', graceMs: 50, proveMs: 10_000 } });
    await waitUntil(() => false, 300);
    limitFiles(worker, 1024);
    expect((await answer).receipt?.proof).toBe('namespace-gone');
    expect(worker.survivors()).toEqual([]);
  });
});
