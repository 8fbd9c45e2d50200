import { Preparation } from '../schemas/loop/preparation.ts';
import { countedChecks, isBaseline } from '../schemas/loop/state.ts';
import { RoundResult } from '../schemas/round/round.ts';
import { agentTitle } from '../schemas/run/run.ts';
import { GatesResult, ReviewResult } from '../schemas/verification/lost-checks.ts';
import { unlessPaused } from './control.ts';
import type { LoopEvent } from './decide/events.ts';
import { gateVerdict, ranAllGates } from './decide/gate-verdict.ts';
import { say, type Run } from './run.ts';
import { validate } from './validate.ts';

/** A step of the loop: it asks an activity for something, and says what happened. */
export type Step = (run: Run, tried: { afterPause: boolean }) => Promise<LoopEvent>;

/** Have the workspace made and set up. */
export const prepare: Step = async (run) => {
  say(run, { status: 'preparing' });
  const returned = await unlessPaused(run, () => run.activities.prepare(run.state));
  if (returned === null) return interrupted();
  return { kind: 'prepared', result: validate(Preparation, returned), ...moment() };
};

/** One attempt at the current round, by a fresh agent. */
export const attempt: Step = async (run) => {
  const { state } = run;
  const { ceilings: asked } = state;
  const { afterAttempt } = state.faults;
  const round = state.rounds + 1;
  say(run, { status: 'running', round });
  const returned = await unlessPaused(run, () => run.activities.runRound(state));
  if (returned === null) return interrupted();
  const expected = RoundResult.refine(
    (result) => result.round === round && firstOf(result) > afterAttempt,
    `must be of round ${round} after attempt ${afterAttempt}`,
  );
  return { kind: 'attempted', result: validate(expected, returned), asked, ...moment() };
};

const firstOf = (result: RoundResult): number =>
  result.kind === 'lost' ? Math.min(...result.attempts.map(({ attempt: number }) => number)) : result.attempt;

/** Run the gates: before round 1, or on a completion claim. */
export const gates: Step = async (run, { afterPause }) => {
  const { state, request } = run;
  const { rounds: round, commit } = state;
  const { afterCheck } = countedChecks(state, round);
  say(run, { status: 'checking', round, why: isBaseline(state) ? 'gates before round 1' : `gates${ofClaim(run)}` });
  const returned = await unlessPaused(run, () => run.activities.runGates(state));
  if (returned === null) return interrupted();
  const expected = GatesResult.refine(
    (result) =>
      result.round === round &&
      numbersOf(result).every((check) => check > afterCheck) &&
      (result.kind !== 'checked' || result.commit === commit),
    `must be a check of ${commit} in round ${round} after number ${afterCheck}`,
  ).refine((result) => {
    if (result.kind !== 'checked' || isBaseline(state)) return true;
    const { reasons } = gateVerdict(result, request.gatePolicy, state.baseline);
    return reasons.length > 0 || ranAllGates(result.gates, request.gates);
  }, 'The gates that ran are not those that were asked for');
  return { kind: 'gates-ran', result: validate(expected, returned), afterPause, ...moment() };
};

const numbersOf = (result: GatesResult): number[] =>
  result.kind === 'lost' ? result.checks.map(({ check }) => check) : [result.check];

/** Have a fresh agent judge the completion claim. */
export const review: Step = async (run, { afterPause }) => {
  const { state, request } = run;
  const { rounds: round, commit, ceilings: asked } = state;
  const { afterReview } = countedChecks(state, round);
  const by = request.reviewer === null ? '' : agentTitle(request.reviewer);
  say(run, { status: 'checking', round, why: `review${ofClaim(run)} by ${by}` });
  const returned = await unlessPaused(run, () => run.activities.reviewClaim(state));
  if (returned === null) return interrupted();
  const expected = ReviewResult.refine(
    (result) =>
      result.round === round &&
      (result.kind === 'lost' ? result.reviews.map((each) => each.attempt) : [result.attempt]).every(
        (number) => number > afterReview,
      ) &&
      (result.kind === 'lost' || [null, commit].includes(result.commit)),
    `must be a review of ${commit} in round ${round} after number ${afterReview}`,
  );
  return { kind: 'reviewed', result: validate(expected, returned), asked, afterPause, ...moment() };
};

/** Whose completion claim is checked, where it is a previous run's. */
function ofClaim({ state: { rounds, pending } }: Run): string {
  return rounds > 0 || pending === null ? '' : ` of round ${pending.round} of ${pending.runId}`;
}

export const moment = (): { now: number; random: number } => ({ now: Date.now(), random: Math.random() });

const interrupted = (): LoopEvent => ({ kind: 'interrupted', ...moment() });
