import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { awaitEnding } from '../../agents/run/await-ending.ts';
import { AwakeTime } from '../../system/awake-time.ts';

const never = new AbortController().signal;

/** An agent that neither ends nor prints nor computes. Each look finds it quiet for the next of these times. */
function quietFor(...times: number[]) {
  const looks = [...times];
  return { looks, ms: () => Promise.resolve(looks.length > 1 ? (looks.shift() ?? 0) : (looks[0] ?? 0)) };
}

const WORKING = {
  exited: new Promise(() => undefined),
  broken: never,
  signal: never,
  get time() {
    return new AwakeTime();
  },
  quiet: quietFor(0),
  exitCounts: false,
  reported: () => false,
  hasFailed: () => false,
  roundTimeoutMs: 30_000,
  idleTimeoutMs: 7_000,
  overspent: async () => false,
  budgeted: false,
  timeLeftMs: null,
};

test.each([
  {
    agent: 'that has submitted its report',
    reported: true,
    exitCounts: false,
    lastMs: 5_000,
    ending: 'hung-after-report',
  },
  { agent: 'whose exit code counts', reported: true, exitCounts: true, lastMs: 7_000, ending: 'hung-after-report' },
  { agent: 'that has no report', reported: false, exitCounts: false, lastMs: 7_000, ending: 'idle-timeout' },
])('an agent $agent may be quiet for up to $lastMs ms', async ({ reported, exitCounts, lastMs, ending }) => {
  const quiet = quietFor(lastMs - 1, lastMs, 0);
  expect(await awaitEnding({ ...WORKING, quiet, exitCounts, reported: () => reported })).toBe(ending);
  expect(quiet.looks).toEqual([0]);
});

test('an agent that goes on although it has failed is ended, unless it has submitted its report', async () => {
  const failed = { ...WORKING, hasFailed: () => true };
  expect(await awaitEnding(failed)).toBe('failed');
  expect(await awaitEnding({ ...failed, reported: () => true, quiet: quietFor(5_000) })).toBe('hung-after-report');
});

test('an agent that has used up its budget is ended, and a report that it submitted before counts', async () => {
  const spent = { ...WORKING, overspent: async () => true, budgeted: true };
  expect(await awaitEnding(spent)).toBe('budget-spent');
  expect(await awaitEnding({ ...spent, exitCounts: true, reported: () => true })).toBe('budget-spent');
  expect(await awaitEnding({ ...spent, exitCounts: false, reported: () => true })).toBe('hung-after-report');
});

test('what is left of the run’s time ends an agent before the round’s own timeout, and not after it', async () => {
  expect(await awaitEnding({ ...WORKING, roundTimeoutMs: 5_000, timeLeftMs: 200 })).toBe('budget-spent');
  expect(await awaitEnding({ ...WORKING, roundTimeoutMs: 200, timeLeftMs: 5_000 })).toBe('round-timeout');
});

test.each([true, false])(
  'a report that was submitted before the round timeout counts, whether or not the exit code does: %s',
  async (exitCounts) => {
    const late = { ...WORKING, exitCounts, roundTimeoutMs: 300 };
    expect(await awaitEnding({ ...late, reported: () => true })).toBe('hung-after-report');
    expect(await awaitEnding(late)).toBe('round-timeout');
  },
);

/** A stand-in for the worker: it watches an agent that sleeps for a second, and says how that ended. */
const WATCHER = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { awaitEnding, Quiet } from './agents/run/await-ending.js';
  import { AwakeTime } from './system/awake-time.js';
  const [limit] = process.argv.slice(1);
  const agent = spawn('sleep', ['1']);
  const [never, at, time] = [new AbortController().signal, performance.now(), new AwakeTime()];
  const limits = { roundTimeoutMs: 600_000, idleTimeoutMs: 10_000, [limit]: 3_000 };
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (looks === 1) console.log(agent.pid);
    return false;
  };
  console.log(await awaitEnding({
    exited: once(agent, 'exit'), broken: never, signal: never, time, quiet: new Quiet(() => at, async () => 0, time),
    reported: () => false, hasFailed: () => false, exitCounts: true, overspent: look, budgeted: false, timeLeftMs: null, ...limits,
  }));`;

test.each(['idleTimeoutMs', 'roundTimeoutMs'])(
  'a pause of every process that is longer than %s does not count against the agent',
  async (limit) => {
    const watcher = spawn(process.execPath, ['--input-type=module', '-e', WATCHER, limit], {
      cwd: path.resolve('dist'),
    });
    const lines = createInterface({ input: watcher.stdout })[Symbol.asyncIterator]();
    const agent = Number((await lines.next()).value);
    for (const pid of [agent, watcher.pid ?? 0]) process.kill(pid, 'SIGSTOP');
    await delay(4_000);
    watcher.kill('SIGCONT');
    // It looks before its agent can end.
    await delay(500);
    process.kill(agent, 'SIGCONT');
    expect((await lines.next()).value).toBe('exited');
  },
);
