import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { makeScratch } from './attempt.ts';
import { attemptOf } from './disposal-cases.ts';
import { buildContainment, removeBuild, startStandInWorker } from './stand-in-worker.ts';
import { waitUntil } from '../../../agents/containment/dispose/wait-until.ts';

const isRoot = process.geteuid?.() === 0;
const scratch = makeScratch();
let build = '';
beforeAll(() => {
  // Where another user can read it.
  build = buildContainment(isRoot ? '/var/cache' : scratch.folder);
});
afterAll(() => {
  removeBuild(build);
  scratch.remove();
});

const MOST_MORE = 40;
const ENOUGH = 10_000;
const HOW = { cause: 'finished', graceMs: 0, proveMs: 5_000 };

/** No room for a process, said by whoever wanted one. */
const SHORT = /Resource temporarily unavailable|Cannot fork|EAGAIN/;

/**
 * The limit counts all that a user runs: root, for which it does not hold, is another user, and anybody else is counted
 * in a namespace of its own.
 */
const user = isRoot
  ? { uid: randomInt(100_000, 4_000_000), wrap: [] }
  : { uid: null, wrap: ['unshare', '--user', '--map-current-user'] };

/** As the user itself: for another's process one needs a privilege that root has not everywhere. */
function limit(pid: number, processes: number): void {
  const asUser = user.uid === null ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.uid}`, '--clear-groups'];
  execFileSync('/usr/bin/env', [...asUser, 'prlimit', `--nproc=${processes}:`, '--pid', String(pid)]);
}

/** The user's processes that have ended and count all the same: a namespace's init, if the system's own does not reap. */
function unreaped(): number {
  const its = new RegExp(`^State:\\tZ[^]*^Uid:\\t${user.uid ?? process.geteuid?.()}\\t`, 'm');
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && its.test(statusOf(name))).length;
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It is gone.
    return '';
  }
}

test.each([
  { mechanism: 'bubblewrap', level: 'workspace-write' },
  { mechanism: 'subreaper', level: 'full-access' },
  { mechanism: 'process-group', level: 'full-access' },
] as const)(
  'where there is room for some of its processes only, a command is not started, and it is said why: $mechanism',
  async ({ mechanism, level }) => {
    const setting = { build, mechanism, level, ...user };
    const worker = await startStandInWorker(setting);
    const tasks = readdirSync(`/proc/${worker.pid}/task`).length;
    const before = unreaped();
    const refusals: string[] = [];
    let exit: unknown = null;
    for (let more = 0; more <= MOST_MORE && exit === null; more++) {
      const { command, armed } = attemptOf(setting, { script: ': > "$ARMED"; exit 7' });
      limit(worker.pid, tasks + more + Math.max(0, unreaped() - before));
      const { error } = await worker.ask({ start: { mechanism, command } });
      if (error === undefined) ({ exit } = await worker.ask({ wait: true }));
      else {
        refusals.push(armed() ? 'it ran' : `${error.code}: ${error.message}`);
      }
      limit(worker.pid, ENOUGH);
      if (error === undefined) await worker.ask({ dispose: HOW });
      expect(await waitUntil(() => worker.survivors().length === 0, 5_000)).toBe(true);
    }
    worker.signal('SIGKILL');
    await worker.gone;
    expect(refusals.length).toBeGreaterThanOrEqual(2);
    expect(refusals.filter((refusal) => !SHORT.test(refusal))).toEqual([]);
    expect(exit).toEqual({ code: 7, signal: null });
  },
);
