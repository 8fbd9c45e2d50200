import { runList } from '../../../cli/pages/run-list.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import { runView } from '../support/run-view.ts';

const now = Date.UTC(2026, 0, 5, 9, 30);
const cellsOf = (more: Parameters<typeof runView>[0]): string[] => {
  const [, line = ''] = runList([runView(more)], { now, width: null, paint: palette(false) });
  return line.split(/ {2,}/);
};
const statusOf = (more: Parameters<typeof runView>[0]): string => cellsOf(more)[1] ?? '';
const roundOf = (more: Parameters<typeof runView>[0]): string => cellsOf(more)[2] ?? '';

test('a list counts the rounds that a rollback made void as used, and says which are void', () => {
  expect(roundOf({ round: 1, maxRounds: 4 })).toBe('1/4');
  expect(roundOf({ round: 1, maxRounds: 4, voidRounds: 3 })).toBe('4/4, 3 void');
  expect(statusOf({ status: 'complete', voidRounds: 3 })).toBe('complete, rolled back');
});

test('a list marks what waits and for how long, what is paused, and what is to pause or stop', () => {
  expect(statusOf({ status: 'running' })).toBe('running');
  const until = new Date(now + 725_000).toISOString();
  expect(statusOf({ status: 'waiting', until, steering: { pause: false, stop: false } })).toBe('waiting 12m 5s');
  expect(statusOf({ status: 'paused', steering: { pause: true, stop: false } })).toBe('paused');
  expect(statusOf({ steering: { pause: true, stop: false } })).toBe('running, to pause');
  expect(statusOf({ status: 'checking', steering: { pause: false, stop: true } })).toBe('checking, to stop');
});
