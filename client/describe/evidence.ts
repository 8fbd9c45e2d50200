import { agentTitle } from '../../schemas/run/run.ts';
import type { StallCause } from '../../schemas/loop/stall.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import { quotesGate, quotesOutput } from '../../workflows/decide/gate-verdict.ts';
import { printableLine } from '../../system/printable.ts';
import type { Handoff } from '../../schemas/round/report.ts';
import type { CheckRow } from '../view/round-view.ts';
import { isReported } from '../view/round-view.ts';
import { gatesOf } from '../view/round-view.ts';
import { lastOfEach, standingChecks } from '../view/impossible-gates.ts';
import { requestOf, rolledBackRounds, type RunView, statusOf } from '../view/run-view.ts';
import { several } from './amounts.ts';
import type { NextCommand } from './chain-words.ts';
import { cancelAndStartNew, checkTexts, missingNotes, saidLines, START_NEW } from './check-words.ts';
import { CLAIMS, isPending, roundText } from './round-words.ts';
import { shortened } from './shorten.ts';
import { budgetLines } from './spend-words.ts';

// What a description of a run is based on, in lines.

export const MOST = 5;
/** Lines of a next step: of one that has what a gate printed, and of any other. */
const OUTPUT_LINES = 13;
const STEP_LINES = 3;

export const lastRound = ({ rounds }: RunView): string[] => rounds.slice(-1).map((row) => roundText(row));

/** Of a run that was stopped during a round, how the last attempt at it ended. */
export const unendedRound = ({ rounds }: RunView): string[] =>
  rounds
    .slice(-1)
    .filter((row) => !isReported(row))
    .map((row) => roundText(row));

/** Of a run that came to no round of its own, what took its time. */
export function beforeRounds(run: RunView): string[] {
  if (run.rounds.length + rolledBackRounds(run.rollback).length > 0) return [];
  const request = requestOf(run);
  const what = [
    ...(request === null || request.setup === null ? [] : ['its setup']),
    ...(request === null || request.gates.length === 0 ? [] : ['its gates']),
  ];
  return what.length === 0 ? [] : [`No round began: ${what.join(' and ')} before round 1 used up the budget.`];
}

/** The last checks of completion claims that count. */
export const checks = (run: RunView, which: 'rejected' | 'all'): string[] =>
  checkTexts(
    standingChecks(run).filter(({ outcome, round, claimOf }) =>
      which === 'all' ? round > 0 || claimOf !== null : outcome.kind === 'rejected',
    ),
  ).slice(-MOST);

export const stillToDo = (handoff: Handoff | null): string[] =>
  handoff === null ? [] : handoff.nextSteps.slice(0, MOST).map((step) => `still to do: ${stepText(step)}`);

const stepText = (step: string): string => shortened(step, quotesOutput(step) ? OUTPUT_LINES : STEP_LINES);

/** A completion claim that the end of the run left unverified. */
export function pendingClaim({ rounds }: Pick<RunView, 'rounds'>): string[] {
  const last = rounds.at(-1);
  if (last === undefined || !isPending(last)) return [];
  return [`Round ${last.round} ${CLAIMS}. The verification of that claim did not finish.`];
}

/**
 * "4 attempts, 1 of them interrupted": the attempts that a run failed after do not include those.
 * @param kind of the check of a completion claim; null: of the round
 */
export function attemptsText(
  { rounds, checks: all }: Pick<RunView, 'rounds' | 'checks'>,
  { round, attempts, kind }: { round: number; attempts: number; kind: CheckRow['check'] | null },
): string {
  const cut =
    kind === null
      ? (rounds.find((row) => row.round === round)?.interrupted ?? 0)
      : all.filter((check) => check.check === kind && check.round === round && check.outcome.kind === 'interrupted')
          .length;
  const text = several(attempts, 'attempt');
  return cut === 0 || cut > attempts ? text : `${text}, ${cut} of them interrupted`;
}

/** The check of a completion claim that could not be completed, where that is what failed. */
export function failedCheck({ checks: all }: Pick<RunView, 'checks'>, round: number): CheckRow | null {
  const check = all.findLast((each) => each.round === round);
  return check !== undefined && check.outcome.kind === 'failed' ? check : null;
}

/** What the gates that still fail printed last, unless that is in the evidence already, or is of long ago. */
export function redNotes(run: RunView, evidence: readonly string[]): string[] {
  const status = statusOf(run.phase);
  const last = standingChecks(run).findLast((row) => row.check === 'gates' && gatesOf(row).length > 0);
  if (last === undefined || status === 'complete' || status === 'blocked') return [];
  const isBaseline = last.outcome.kind === 'baseline';
  if (isBaseline && (run.phase.kind === 'ended' || run.rounds.some(({ kind }) => kind === 'ended'))) return [];
  const when = last.round === 0 ? 'before round 1' : `after round ${last.round}`;
  const news = gatesOf(last).filter(
    ({ command, said }) =>
      !evidence.some((text) => (said !== null && text.includes(said)) || quotesGate(text, command)),
  );
  return saidLines(news).map((line) => `gate failed ${when}: ${line}`);
}

/** The gates that can never pass, by the last that is known of each. */
export function impossibleNotes(run: RunView): string[] {
  if (statusOf(run.phase) === 'complete') return [];
  return missingNotes(lastOfEach(run), run.phase.kind === 'ended' ? START_NEW : cancelAndStartNew(run.runId));
}

/** Where all of the output is of the gates that rejected the last completion claim. */
export function gatesLog(run: RunView): NextCommand[] {
  const last = standingChecks(run).findLast(({ outcome }) => outcome.kind === 'rejected');
  if (statusOf(run.phase) === 'complete' || last === undefined || last.check !== 'gates') return [];
  if (gatesOf(last).length === 0 || last.round < (run.rounds.at(-1)?.round ?? 0)) return [];
  return [{ command: `ralph log ${run.runId} --round ${last.round} --gates`, what: 'show all output of its gates' }];
}

/** Who says that a run is complete. A completion claim that nothing verified is called what it is. */
export function completeText(run: RunView, ending: Extract<UnreleasedEnding, { status: 'complete' }>): string {
  const { verification, excusedGates } = ending;
  const request = requestOf(run);
  const ran = request === null ? 'its gates' : several(request.gates.length, 'gate');
  const where = request !== null && request.gatePolicy.inPlace ? 'in the workspace' : 'on a clean checkout';
  const asBefore = excusedGates.map((command) => `"${printableLine(command)}"`).join(', ');
  switch (verification) {
    case 'agent-reported':
      return 'complete, as the agent reports; no gate checked it';
    case 'gates-passed':
      return `complete: ${ran} passed ${where}`;
    case 'gates-as-before':
      return `complete, although ${excusedGates.length} of ${ran} still ${excusedGates.length === 1 ? 'fails' : 'fail'} as before round 1: ${asBefore}`;
    case 'reviewed': {
      const by = byWhom(request === null ? null : request.reviewer);
      if (request !== null && request.gates.length === 0) return `complete: ${by} accepted it; no gate checked it`;
      const how = excusedGates.length === 0 ? 'passed' : `passed, except what fails as before round 1 (${asBefore}),`;
      return `complete: ${ran} ${how} ${where}, and ${by} accepted it`;
    }
    default:
      return verification satisfies never;
  }
}

function byWhom(reviewer: Parameters<typeof agentTitle>[0] | null): string {
  if (reviewer === null) return 'a reviewer';
  return reviewer.provider === 'command' ? 'the review command' : `${printableLine(agentTitle(reviewer))} reviewed and`;
}

/** What shows that a run repeated itself. */
export function stallEvidence(run: RunView, cause: StallCause): string[] {
  switch (cause) {
    case 'unchanged-tree':
      return run.rounds
        .filter(({ changes }) => changes !== null && changes.files === 0)
        .slice(-MOST)
        .map((row) => `${roundText(row)} (no changes)`);
    case 'same-fault':
      return lastRound(run);
    case 'claims-rejected':
    case 'same-gate-failure':
      return checks(run, 'rejected');
    default:
      return cause satisfies never;
  }
}

/** What was used of each budget. */
export function budgetText(run: RunView): string[] {
  const rolledBack = run.rollback.kind === 'none' ? 0 : run.rollback.rounds.length;
  const { rows, notes } = budgetLines({ ...run, rolledBack });
  return [...rows.map(([name, value]) => `${name}: ${value}`), ...notes];
}
