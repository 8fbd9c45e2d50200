import type { ShownStatus } from '../../client/view/run-view.ts';
import { exitCodeOf, hasEnded } from '../../cli/exit-codes.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { plainReceipt } from '../support/records.ts';

const receipt = (proof: Receipt['proof']): Receipt => plainReceipt({ cause: 'cancelled', mechanism: 'keeper', proof });

test.each<[ShownStatus, number]>([
  ['complete', 0],
  ['failed', 1],
  ['blocked', 10],
  ['budget-limited', 11],
  ['stalled', 12],
  ['round-failed', 13],
  ['cancelled', 14],
  ['terminated', 15],
])('a run that is %s exits with %d', (status, code) => {
  expect(exitCodeOf({ status, receipt: receipt('echild'), ending: null })).toBe(code);
  expect(hasEnded(status)).toBe(true);
});

test('a disposal that could not be proved comes before everything else', () => {
  expect(exitCodeOf({ status: 'cancelled', receipt: receipt('unproved'), ending: null })).toBe(16);
  const fault = { code: 'disposal-unproved', message: 'm', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 1, attempts: 1, fault, handoff: null } as const;
  expect(exitCodeOf({ status: 'round-failed', receipt: null, ending })).toBe(16);
});

test.each<ShownStatus>(['starting', 'preparing', 'running', 'waiting', 'unknown'])(
  'a run that is %s has not ended',
  (status) => {
    expect(hasEnded(status)).toBe(false);
  },
);
