import { receiptLines } from '../../../cli/output/receipt-text.ts';
import type { Receipt } from '../../../schemas/receipt.ts';

const receipt: Receipt = {
  cause: 'finished',
  mechanism: 'bubblewrap',
  proof: 'namespace-gone',
  signals: [{ signal: 'SIGKILL', pid: 41 }],
  killed: [],
  killedUnlisted: 0,
  left: [],
  ms: 12,
  at: '2026-01-05T09:00:00.000Z',
  host: 'box',
  commit: null,
};

test('a signal that met nothing is told so, and what was killed is counted and named', () => {
  expect(receiptLines(receipt)[1]).toBe('signals: SIGKILL; nothing was left to kill');
  expect(receiptLines({ ...receipt, killed: [{ pid: 42, command: 'sleep 999' }] }).slice(1)).toEqual([
    'signals: SIGKILL; killed: 1',
    'killed 42 sleep 999',
  ]);
});
