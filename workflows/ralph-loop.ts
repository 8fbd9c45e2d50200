import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { boundText } from '../schemas/text/bound-text.ts';
import { Carried, LoopInput, type LoopState } from '../schemas/loop/loop.ts';
import { parseRecord } from '../schemas/text/parse-record.ts';
import type { RunResult, UnreleasedEnding } from '../schemas/run/result.ts';
import { chargeWait } from '../schemas/budget/spend.ts';
import { activitiesOf } from './activity-proxies.ts';
import { answerClaim } from './answer-claim.ts';
import { answerInherited } from './answer-inherited.ts';
import { beforeAttempt } from './before-attempt.ts';
import { endRun, runFailure } from './end-run.ts';
import { endingOfError } from './ending-of-error.ts';
import type { LoopRun } from './loop-run.ts';
import { cancelReasonSignal } from './messages.ts';
import { prepareRun } from './prepare-run.ts';
import { memoOf } from './run-memo.ts';
import type { Stand } from './stand.ts';
import { listen } from './steered.ts';
import { takeAttempt } from './take-attempt.ts';
import { waitOut } from './wait.ts';

const MAX_REASON_CHARS = 4_096;

/** Send fresh agents at one objective, one round each, until it is met, blocked, failed or out of a budget. */
export async function ralphLoop(input: LoopInput): Promise<RunResult> {
  const parsed = LoopInput.safeParse(input);
  if (!parsed.success) throw ApplicationFailure.nonRetryable(parsed.error.message, 'InvalidLoopInput');
  const { request, settings, carried } = parsed.data;
  const steered = listen(request, carried);
  const stand: Stand =
    carried === null
      ? { state: null, round: 0, checks: null, cancelReason: null }
      : { state: carried.state, round: carried.state.rounds + 1, checks: null, cancelReason: carried.cancelReason };
  const activities = activitiesOf(request, settings);
  const run: LoopRun = { request, settings, activities, remember: memoOf(request, steered, stand), steered, stand };
  setHandler(cancelReasonSignal, (given: unknown) => {
    // Whoever reaches the server can send anything: what is no text of ours is passed over, and the cancel stands.
    if (typeof given === 'string') stand.cancelReason = boundText(given, MAX_REASON_CHARS);
  });

  let ending: UnreleasedEnding;
  try {
    ending = await reachEnding(run);
  } catch (error) {
    ending = endingOfError(error, stand);
  }
  await endRun(run, ending);
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

async function reachEnding(run: LoopRun): Promise<UnreleasedEnding> {
  const { stand } = run;
  let state: LoopState;
  if (stand.state === null) {
    const prepared = await prepareRun(run);
    if ('ending' in prepared) return prepared.ending;
    const answered = await answerInherited(run, prepared.state);
    if ('ending' in answered) return answered.ending;
    ({ state } = answered);
  } else ({ state } = stand);
  const roundsBefore = state.rounds;
  for (;;) {
    stand.state = state;
    stand.round = state.rounds + 1;
    const halted = await beforeAttempt(run, state);
    if (halted !== null) return halted;
    const attempted = await takeAttempt(run, state);
    stand.state = attempted.state;
    const after = attempted.kind === 'claimed' ? await answerClaim(run, attempted) : attempted;
    stand.state = after.state;
    if (after.kind === 'ended') return after.ending;
    ({ state } = after);
    if (after.wait !== null) {
      const waited = await waitOut(run, state, after.wait);
      state = { ...state, spent: chargeWait(state.spent, waited) };
      stand.state = state;
    }
    const roundsHere = state.rounds - roundsBefore;
    if (workflowInfo().continueAsNewSuggested || roundsHere === run.settings.continueAfterRounds) {
      await condition(allHandlersFinished);
      const { pause, stop, ceilings } = run.steered;
      const now = { state, cancelReason: stand.cancelReason, steering: { pause, stop }, ceilings };
      // The next execution refuses a field that it does not know.
      const carried = parseRecord(Carried, now);
      await continueAsNew<typeof ralphLoop>({ request: run.request, settings: run.settings, carried });
    }
  }
}
