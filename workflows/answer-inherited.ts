import type { LoopState } from '../schemas/loop/loop.ts';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import { inheritedClaim } from '../schemas/run/run.ts';
import { answerClaim } from './answer-claim.ts';
import type { LoopRun } from './loop-run.ts';
import { stoppedAt } from './past-fault.ts';

/**
 * Check the claim that the run before left open, before a round is paid for: it ends the run, or round 1 gets to know why
 * it does not.
 */
export async function answerInherited(
  run: LoopRun,
  state: LoopState,
): Promise<{ readonly state: LoopState } | { readonly ending: UnreleasedEnding }> {
  const { request, steered, stand } = run;
  const claim = inheritedClaim(request);
  if (claim === null) return { state };
  stand.state = state;
  if (steered.stop) return { ending: stoppedAt(state).ending };
  const after = await answerClaim(run, {
    kind: 'claimed',
    state,
    claim: claim.report,
    finalText: null,
    stall: null,
    untold: null,
  });
  stand.state = after.state;
  return after.kind === 'ended' ? { ending: after.ending } : { state: after.state };
}
