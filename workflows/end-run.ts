import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import { nothingSpent } from '../schemas/budget/budget.ts';
import { Released, type RoundFailure, type UnreleasedEnding, type Used } from '../schemas/run/result.ts';
import type { KnownAttempts } from '../schemas/round/round-input.ts';
import type { KnownChecks } from '../schemas/loop/known-work.ts';
import { whyItEnded } from '../schemas/run/why-it-ended.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { knownWork } from './stand.ts';

/**
 * Dispose of whatever is left, with proof, and write down how the run ended. A cancel cannot interrupt it, and nothing
 * that goes wrong here changes how the run ended: it is said beside it.
 */
export async function endRun(run: LoopRun, ending: UnreleasedEnding): Promise<void> {
  const { state } = run.stand;
  const { ceilings } = run.steered;
  const used: Used = { spent: state === null ? nothingSpent : state.spent, ceilings };
  const { attempts: known, checks } = knownWork(state, run.stand);
  const { released, problem } = await release(run, { ending, used, known, checks });
  const why = [whyItEnded(ending), ...(released === null ? [problem] : released.notes)];
  const spent = released === null ? null : released.spent;
  run.remember(state, {
    status: ending.status,
    why: why.filter((part) => part !== null).join(' — ') || null,
    ...(released === null ? {} : { receipt: released.receipt }),
    ...(spent === null ? {} : { spent }),
    ...(released === null || released.commit === null ? {} : { commit: released.commit, ref: released.ref }),
  });
}

async function release(
  { activities }: LoopRun,
  asked: { ending: UnreleasedEnding; used: Used; known: KnownAttempts | null; checks: KnownChecks | null },
): Promise<{ released: Released; problem: null } | { released: null; problem: string }> {
  try {
    const returned = await CancellationScope.nonCancellable(() => activities.release(asked));
    return { released: heldTo(Released, returned), problem: null };
  } catch (error) {
    const cause = error instanceof ActivityFailure && error.cause instanceof Error ? error.cause : error;
    return { released: null, problem: `the workspace could not be released: ${messageOf(cause)}` };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The failure that closes a run as Temporal's Failed; its details are the `RoundFailure`. */
export function runFailure({ round, attempts, fault, handoff }: RoundFailure): ApplicationFailure {
  const { message, code } = fault;
  const failure: RoundFailure = { round, attempts, fault, handoff };
  return ApplicationFailure.create({ message, type: code, nonRetryable: true, details: [failure] });
}
