import { awaitEnding } from '../../agents/run/await-ending.ts';
import { Quiet } from '../../agents/run/quiet.ts';

const never = new AbortController().signal;

/** An agent that has reported, and neither ends nor prints nor computes. */
const HANGING = {
  exited: new Promise(() => undefined),
  broken: never,
  signal: never,
  reported: () => true,
  roundTimeoutMs: 30_000,
  idleTimeoutMs: 7_000,
  overspent: async () => false,
  budgeted: false,
  timeLeftMs: null,
};

test.each([
  { agent: 'whose exit code says nothing', exitCounts: false, fromMs: 4_900, toMs: 6_500 },
  { agent: 'whose exit code counts', exitCounts: true, fromMs: 6_900, toMs: 9_000 },
])(
  'an agent $agent is waited for after its report for $fromMs ms at least',
  async ({ exitCounts, fromMs, toMs }) => {
    const from = performance.now();
    const quiet = new Quiet(
      () => from,
      async () => 0,
    );
    expect(await awaitEnding({ ...HANGING, quiet, exitCounts })).toBe('hung-after-report');
    const ms = performance.now() - from;
    expect(ms).toBeGreaterThanOrEqual(fromMs);
    expect(ms).toBeLessThan(toMs);
  },
  20_000,
);

test('an agent that has used up what it may is ended, unless it has reported already', async () => {
  const busy = new Quiet(
    () => performance.now(),
    async () => 0,
  );
  const spent = { ...HANGING, quiet: busy, exitCounts: false, overspent: async () => true, budgeted: true };
  expect(await awaitEnding({ ...spent, reported: () => false })).toBe('budget-spent');
  expect(await awaitEnding(spent)).toBe('hung-after-report');
});

test('what is left of the run’s time ends an agent before the round’s own timeout, and not after it', async () => {
  const busy = new Quiet(
    () => performance.now(),
    async () => 0,
  );
  const silent = { ...HANGING, quiet: busy, exitCounts: true, reported: () => false };
  expect(await awaitEnding({ ...silent, roundTimeoutMs: 5_000, timeLeftMs: 200 })).toBe('budget-spent');
  expect(await awaitEnding({ ...silent, roundTimeoutMs: 200, timeLeftMs: 5_000 })).toBe('round-timeout');
});

test('an agent whose exit code counts and that is still at work at the end of the round did not finish it', async () => {
  const quiet = new Quiet(
    () => performance.now(),
    async () => 0,
  );
  expect(await awaitEnding({ ...HANGING, quiet, exitCounts: true, roundTimeoutMs: 300 })).toBe('round-timeout');
  expect(await awaitEnding({ ...HANGING, quiet, exitCounts: false, roundTimeoutMs: 300 })).toBe('hung-after-report');
});
