import { runList } from '../../../cli/pages/run-list.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import type { RunSummary } from '../../../client/view/run-view.ts';
import { endedBy, live, running, runSummary } from '../../support/run-view.ts';

const now = Date.UTC(2026, 0, 5, 9, 30);
const cellsOf = (more: Partial<RunSummary>): string[] => {
  const [, line = ''] = runList([runSummary(more)], { now, width: null, paint: palette(false) });
  return line.split(/ {2,}/);
};
const statusOf = (more: Partial<RunSummary>): string => cellsOf(more)[1] ?? '';
const roundOf = (more: Partial<RunSummary>): string => cellsOf(more)[2] ?? '';
const progress = { round: 1, maxRounds: 4, rolledBack: 3 };

test('a list counts the rounds that were rolled back as used, and says how many those are', () => {
  expect(roundOf({ progress: { ...progress, rolledBack: 0 } })).toBe('1/4');
  expect(roundOf({ progress })).toBe('4/4, 3 rolled back');
  const complete = endedBy({ kind: 'brief', status: 'complete', why: null });
  expect(statusOf({ phase: complete, progress })).toBe('complete, rolled back');
  expect(roundOf({ progress: null })).toBe('unknown');
});

test('a list marks what waits and for how long, what is paused, and what is to pause or stop', () => {
  expect(statusOf({})).toBe('running');
  const until = new Date(now + 725_000).toISOString();
  expect(statusOf({ phase: live({ status: 'waiting', round: 1, until, why: null }) })).toBe('waiting 12m 5s');
  const pause = { pause: true, stop: false };
  expect(statusOf({ phase: live({ status: 'paused', round: 1 }, pause) })).toBe('paused');
  expect(statusOf({ phase: live(running(1), pause) })).toBe('running, pausing');
  const checking = { status: 'checking', round: 1, what: null, check: null } as const;
  expect(statusOf({ phase: live(checking, { pause: false, stop: true }) })).toBe('checking, stopping');
});
