import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { boundText } from '../schemas/bound-text.ts';
import { LoopInput, type LoopState } from '../schemas/loop.ts';
import type { RunResult, UnreleasedEnding } from '../schemas/result.ts';
import { activitiesOf } from './activity-proxies.ts';
import { answerClaim } from './answer-claim.ts';
import { beforeAttempt } from './before-attempt.ts';
import { endRun, runFailure } from './end-run.ts';
import { endingOfError } from './ending-of-error.ts';
import type { LoopRun } from './loop-run.ts';
import { cancelReasonSignal } from './messages.ts';
import { prepareRun } from './prepare-run.ts';
import { memoOf } from './run-memo.ts';
import { chargeLost, chargeWait } from './spend.ts';
import { listen } from './steered.ts';
import { takeAttempt } from './take-attempt.ts';
import { waitOut } from './wait.ts';

const MAX_REASON_CHARS = 4_096;

/** What a cancel or an error finds: where the loop stood, and what the user said. */
interface Stand {
  state: LoopState | null;
  cancelReason: string | null;
  /** Whether an attempt was begun whose use is not known yet. */
  underWay: boolean;
}

/** Send fresh agents at one objective, one round each, until it is met, blocked, failed or out of rounds. */
export async function ralphLoop(input: LoopInput): Promise<RunResult> {
  const parsed = LoopInput.safeParse(input);
  if (!parsed.success) throw ApplicationFailure.nonRetryable(parsed.error.message, 'InvalidLoopInput');
  const { request, settings, carried } = parsed.data;
  const steered = listen(request, carried);
  const activities = activitiesOf(request, settings);
  const run: LoopRun = { request, settings, activities, remember: memoOf(request, steered), steered };
  const stand: Stand =
    carried === null
      ? { state: null, cancelReason: null, underWay: false }
      : { state: carried.state, cancelReason: carried.cancelReason, underWay: false };
  setHandler(cancelReasonSignal, (given: unknown) => {
    // Whoever reaches the server can send anything: what is no text of ours is passed over, and the cancel stands.
    if (typeof given === 'string') stand.cancelReason = boundText(given, MAX_REASON_CHARS);
  });

  let ending: UnreleasedEnding;
  try {
    ending = await reachEnding(run, stand);
  } catch (error) {
    ending = endingOfError(error, stand);
    if (stand.underWay && stand.state !== null) {
      stand.state = { ...stand.state, spent: chargeLost(stand.state.spent, 1) };
    }
  }
  await endRun(run, stand.state, ending);
  switch (ending.status) {
    case 'round-failed':
      throw runFailure(ending);
    case 'cancelled':
      throw new CancelledFailure('cancelled');
    case 'complete':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
    case 'stopped':
      return ending;
    default:
      return ending satisfies never;
  }
}

async function reachEnding(run: LoopRun, stand: Stand): Promise<UnreleasedEnding> {
  if (stand.state === null) {
    const prepared = await prepareRun(run);
    if ('ending' in prepared) return prepared.ending;
    stand.state = prepared.state;
  }
  const roundsBefore = stand.state.rounds;
  for (;;) {
    const halted = await beforeAttempt(run, stand.state);
    if (halted !== null) return halted;
    stand.underWay = true;
    const attempted = await takeAttempt(run, stand.state);
    stand.underWay = false;
    stand.state = attempted.state;
    const after = attempted.kind === 'claimed' ? await answerClaim(run, attempted) : attempted;
    stand.state = after.state;
    if (after.kind === 'ended') return after.ending;
    if (after.wait !== null) {
      const waited = await waitOut(run, stand.state, after.wait);
      stand.state = { ...stand.state, spent: chargeWait(stand.state.spent, waited) };
    }
    const roundsHere = stand.state.rounds - roundsBefore;
    if (workflowInfo().continueAsNewSuggested || roundsHere === run.settings.continueAfterRounds) {
      await condition(allHandlersFinished);
      const { pause, stop, ceilings } = run.steered;
      const carried = { state: stand.state, cancelReason: stand.cancelReason, steering: { pause, stop }, ceilings };
      await continueAsNew<typeof ralphLoop>({ request: run.request, settings: run.settings, carried });
    }
  }
}
