import { exitCodeOf } from '../../cli/exit-codes.ts';
import type { Ending, Phase } from '../../client/view/run-view.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { plainReceipt } from '../support/records.ts';
import { endedBy, live, running } from '../support/run-view.ts';

const receipt = (proof: Receipt['proof']): Receipt =>
  plainReceipt({ cause: 'cancelled', mechanism: 'subreaper', proof });
const phase = (how: Ending, proof: Receipt['proof']): Phase => ({ ...endedBy(how), receipt: receipt(proof) });
const brief = (status: Extract<Ending, { kind: 'brief' }>['status']): Ending => ({ kind: 'brief', status, why: null });

test.each<[Ending, number]>([
  [brief('complete'), 0],
  [{ kind: 'failed' }, 1],
  [brief('blocked'), 10],
  [brief('budget-limited'), 11],
  [brief('stalled'), 12],
  [brief('round-failed'), 13],
  [brief('cancelled'), 14],
  [{ kind: 'terminated' }, 15],
  [brief('stopped'), 17],
])('a run that ended as %j exits with %d', (how, code) => {
  expect(exitCodeOf(phase(how, 'echild'))).toBe(code);
});

test('a disposal that could not be proved comes before everything else', () => {
  expect(exitCodeOf(phase(brief('cancelled'), 'unproved'))).toBe(16);
  const fault = { code: 'disposal-unproved', message: 'm', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 1, attempts: 1, fault, handoff: null } as const;
  expect(exitCodeOf(endedBy({ kind: 'recorded', ending }))).toBe(16);
});

test('a run that is live, or of which that is not known, has no result', () => {
  expect(exitCodeOf(live(running(1)))).toBe(1);
  expect(exitCodeOf({ kind: 'unknown', why: 'forgotten' })).toBe(1);
});
