import type { RunResult } from '../schemas/run/result.ts';
import { endedAt, goOnWith } from './decide-after-report.ts';
import { endRound } from '../schemas/budget/spend.ts';
import type { LoopRun } from './loop-run.ts';
import { claimHandoff } from './claim-handoff.ts';
import { handOn } from './hand-on.ts';
import { noteRefusal } from './stop-loss.ts';
import { goingOn, type AfterAttempt } from './take-attempt.ts';
import { verifyClaim } from './verify-claim.ts';

/** Check a claim of completion: it ends the run, or the next round gets to know why it does not. */
export async function answerClaim(
  run: LoopRun,
  { state, claim, finalText, stall, untold }: Extract<AfterAttempt, { kind: 'claimed' }>,
): Promise<Exclude<AfterAttempt, { kind: 'claimed' }>> {
  const { limits } = run.request;
  const verified = await verifyClaim(run, state);
  switch (verified.kind) {
    case 'ended':
      return verified;
    case 'accepted': {
      const { verification, excusedGates } = verified;
      const ending: RunResult = {
        status: 'complete',
        ...endedAt(verified.state),
        verification,
        excusedGates: [...excusedGates],
        report: claim,
        finalText,
      };
      return { kind: 'ended', state: verified.state, ending };
    }
    case 'refused': {
      const { spent, rounds } = verified.state;
      // The check was part of the round, unless that was the predecessor's.
      const checked = { ...verified.state, spent: rounds === 0 ? spent : endRound(spent) };
      const noted = noteRefusal(checked.stopLoss, verified.gate, limits);
      const handoff = claimHandoff(claim, verified.reasons, limits.maxHandoffChars);
      const next = handOn({ ...checked, stopLoss: noted.loss }, handoff, 'refused-claim');
      const { maxRounds } = run.steered.ceilings;
      const after = goOnWith(handoff, next, { maxRounds, stall: noted.stall ?? stall });
      return after.kind === 'end'
        ? { kind: 'ended', state: next, ending: after.result }
        : goingOn(next, untold ?? verified.untold);
    }
    default:
      return verified satisfies never;
  }
}
