import type { GateResult } from '../../schemas/verification/gate.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';

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

type Interrupted = Extract<AttemptOutcome, { kind: 'interrupted' }>;

/** What is written of an attempt whose worker was killed. */
export const lostAttempt = (more: Partial<Interrupted> = {}): Interrupted => ({
  kind: 'interrupted',
  by: 'worker-lost',
  round: 1,
  attempt: 1,
  startedAt: AT,
  endedAt: AT,
  agentMs: 0,
  usage: null,
  costUsd: null,
  costEstimated: false,
  agent: null,
  agentVersion: null,
  sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
  checkpoint: null,
  receipt: plainReceipt({ cause: 'worker-lost' }),
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
