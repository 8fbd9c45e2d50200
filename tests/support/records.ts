import type { GateResult } from '../../schemas/verification/gate.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';

/** A moment in records that are made up. */
export const AT = '2026-01-05T09:00:00.000Z';

/** What a round that ended by itself leaves; `more`: what matters to the test. */
export const plainReceipt = (more: Partial<Receipt> = {}): Receipt => ({
  cause: 'finished',
  mechanism: 'bubblewrap',
  proof: 'namespace-gone',
  signals: [],
  killed: [],
  killedUnlisted: 0,
  left: [],
  ms: 1,
  at: AT,
  host: 'box',
  commit: null,
  ...more,
});

/** A gate that passed. */
export const plainGate = (more: Partial<GateResult> = {}): GateResult => ({
  command: 'npm test',
  gate: null,
  exitCode: 0,
  timedOut: false,
  outputHash: '',
  isSetup: false,
  changed: [],
  ms: 1,
  output: '',
  receipt: plainReceipt(),
  ...more,
});
