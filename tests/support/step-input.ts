import type { StepInput } from '../../schemas/loop/loop-input.ts';
import { beginning, type LoopState, type PendingVerification } from '../../schemas/loop/state.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { complete } from './loop-events.ts';

/** What an activity is asked with once the workspace is there; `more`: what matters to the test. */
export const stepInput = (request: RunRequest, more: Partial<LoopState> = {}): StepInput => ({
  request,
  state: { ...beginning(request), prepared: true, ...more },
});

/** A completion claim of a round that nothing has checked yet. */
export const pendingOf = (runId: string, round: number): PendingVerification => ({
  runId,
  round,
  claim: complete,
  finalText: null,
  stall: null,
  unreported: null,
  gates: null,
  whyRejected: null,
});
