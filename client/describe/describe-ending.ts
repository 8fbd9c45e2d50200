import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import type { Handoff } from '../../schemas/round/report.ts';
import type { ResumeAdvice } from '../resume/resume-advice.ts';
import { type Ending, type EndedPhase, rollbackInForce, type RunView } from '../view/run-view.ts';
import {
  adviceNotes,
  continuedText,
  discardedText,
  hasWork,
  isResume,
  mergeCommand,
  type NextCommand,
  placeText,
  resumeNext,
  workNote,
} from './chain-words.ts';
import { checkedWhat } from './check-words.ts';
import {
  attemptsText,
  beforeRounds,
  budgetText,
  checks,
  completeText,
  failedCheck,
  gatesLog,
  impossibleNotes,
  lastRound,
  MOST,
  pendingClaim,
  redNotes,
  stallEvidence,
  stillToDo,
  unendedRound,
} from './evidence.ts';
import { faultWords } from './fault-words.ts';
import { stoppedWhen } from './round-words.ts';
import { usedText } from './spend-words.ts';

/** A run in plain words. Texts of others in it are made printable where they are printed. */
export interface Description {
  /** What it does, waits for, or ended by: "stalled: 3 rounds in a row changed nothing". */
  readonly headline: string;
  /** What it came to, in its own words: a summary, a blocker, a fault. */
  readonly said: readonly string[];
  /** What else the headline is based on. */
  readonly evidence: readonly string[];
  /** Commands to go on with. */
  readonly next: readonly NextCommand[];
}

/** What is known of a run that has ended beside its view. */
export interface KnownEnd {
  /** Of a run that was rolled back, what its next round is given; null: nothing, or it was not. */
  readonly handoff: Handoff | null;
  readonly advice: ResumeAdvice;
  /** Whether anything was printed in its last round. */
  readonly printed: boolean;
}

/** How a run ended, and what became of it since: `show`, `why`, the end of `run` and `watch` print from it. */
export function describeEnding(run: RunView, phase: EndedPhase, known: KnownEnd): Description {
  const ended = ofEnding(run, phase.how, known);
  const { rollback, runId, chain } = run;
  if (rollback.kind === 'unfinished') {
    const { to } = rollback.begun;
    return {
      headline: `a rollback to ${placeText(to)} did not finish`,
      said: [`Before that: ${ended.headline}`],
      evidence: [],
      next: [
        { command: `ralph rollback ${runId} --to ${to}`, what: 'finish it first' },
        { command: `ralph show ${runId}`, what: 'show what is known of the run' },
      ],
    };
  }
  const since = rollback.kind === 'none' ? ended : sinceRollback(run, known, ended);
  const isContinued = chain.continued.kind === 'continued';
  const notes = [continuedText(run), isContinued ? null : workNote(run.work)].filter((text) => text !== null);
  const evidence = [...notes, ...(isContinued ? [] : adviceNotes(known.advice)), ...since.evidence];
  const next = [...since.next, ...gatesLog(run)];
  return {
    ...since,
    evidence: [...impossibleNotes(run), ...evidence, ...redNotes(run, evidence)],
    next:
      chain.continued.kind === 'continued'
        ? [
            { command: `ralph why ${chain.continued.last.runId}`, what: 'show how that run went' },
            ...next.filter((each) => !isResume(each)),
          ]
        : next,
  };
}

/** The rounds that made the run end were rolled back, and so is what they left to do. */
function sinceRollback(run: RunView, { handoff, advice }: KnownEnd, ended: Description): Description {
  const back = rollbackInForce(run.rollback);
  const others = ended.next.filter((each) => !isResume(each) && !each.command.startsWith('git merge'));
  return {
    headline: `rolled back to ${placeText(back === null ? 0 : back.to)}: ${discardedText(run)}`,
    said: [`Before that: ${ended.headline}`],
    evidence: [...budgetText(run), ...checks(run, 'rejected'), ...stillToDo(handoff)],
    next: [...resumeNext(run.runId, advice, { what: 'continue from there in a follow-up', note: false }), ...others],
  };
}

function ofEnding(run: RunView, how: Ending, known: KnownEnd): Description {
  const show = showCommand(run);
  switch (how.kind) {
    case 'recorded':
      return ofRecorded(run, how.ending, known);
    case 'brief':
      return {
        headline: how.status,
        said: how.why === null ? [] : [how.why],
        evidence: used(run),
        next: [show, ...(how.status === 'complete' ? [] : followUp(run, known))],
      };
    case 'terminated':
      return {
        headline:
          'terminated from outside (for example in the Temporal UI), so the engine could not shut it down itself',
        said: [],
        evidence: [...lastRound(run), ...pendingClaim(run), ...used(run)],
        next: [show, ...followUp(run, known)],
      };
    case 'failed':
      return {
        headline: 'failed because of an error in the engine',
        said: [],
        evidence: run.notes,
        next: [show, ...followUp(run, known)],
      };
    default:
      return how satisfies never;
  }
}

function ofRecorded(run: RunView, ending: UnreleasedEnding, known: KnownEnd): Description {
  const { runId } = run;
  const show = showCommand(run);
  switch (ending.status) {
    case 'complete':
      return {
        headline: completeText(run, ending),
        said: [ending.report.summary],
        evidence: [...[...ending.report.evidence, ...checks(run, 'all')].slice(0, 2 * MOST), ...used(run)],
        next: [{ command: `ralph diff ${runId}`, what: 'show what changed' }, ...merge(run, 'merge its work')],
      };
    case 'blocked':
      return {
        headline: `blocked: ${ending.report.blocker}`,
        said: [`round ${run.rounds.at(-1)?.round ?? ending.rounds} reported: ${ending.report.summary}`],
        evidence: [...ending.report.evidence.slice(0, MOST - 1), ...used(run)],
        next: [...resumeNext(runId, known.advice, { what: 'continue it with your answer', note: true }), show],
      };
    case 'budget-limited':
      return {
        headline: `out of budget (${ending.budget})${ending.reason === '' ? '' : `: ${ending.reason}`}`,
        said: handoffSaid(ending.handoff),
        evidence: [
          ...beforeRounds(run),
          ...budgetText(run),
          ...pendingClaim(run),
          ...checks(run, 'rejected'),
          ...stillToDo(ending.handoff),
        ],
        next: [
          ...resumeNext(runId, known.advice, { what: 'continue it with a larger budget', note: false }),
          show,
          ...merge(run, 'merge its unfinished work'),
        ],
      };
    case 'stalled':
      return {
        headline: `stalled: ${ending.reason}`,
        said: handoffSaid(ending.handoff),
        evidence: [...stallEvidence(run, ending.cause), ...stillToDo(ending.handoff), ...used(run)],
        next: [
          show,
          ...resumeNext(runId, known.advice, { what: 'continue it with a note on what was wrong', note: true }),
        ],
      };
    case 'stopped':
      return {
        headline: `stopped ${stoppedWhen(run.rounds)}, as requested`,
        said: handoffSaid(ending.handoff),
        evidence: [...unendedRound(run), ...pendingClaim(run), ...stillToDo(ending.handoff), ...used(run)],
        next: [...followUp(run, known), show],
      };
    case 'round-failed':
      return ofFailure(run, ending, known);
    case 'cancelled':
      return {
        headline: ending.reason === null ? 'cancelled' : `cancelled: ${ending.reason}`,
        said: [],
        evidence: [...lastRound(run), ...pendingClaim(run), ...used(run)],
        next: [show, ...followUp(run, known)],
      };
    default:
      return ending satisfies never;
  }
}

function ofFailure(
  run: RunView,
  { round, attempts, fault }: Extract<UnreleasedEnding, { status: 'round-failed' }>,
  known: KnownEnd,
): Description {
  const { runId } = run;
  const check = failedCheck(run, round);
  const ofReview = check !== null && check.check === 'review';
  const words = faultWords(fault.code, ofReview ? 'reviewer' : 'agent', fault.login === true);
  const made = attemptsText(run, { round, attempts, kind: check === null ? null : check.check });
  const where =
    check !== null
      ? `failed: the ${checkedWhat(check)} could not be completed in ${made}`
      : round === 0
        ? 'failed before round 1'
        : `failed in round ${round} after ${made}`;
  return {
    headline: `${where}${words === null ? '' : `: ${words.means}`}`,
    said: [`${fault.code}: ${fault.message}`],
    evidence: [
      ...(words === null || words.remedy === null ? [] : [words.remedy]),
      ...(known.printed || round === 0 ? [] : ['Nothing was printed.']),
      ...pendingClaim(run),
      ...used(run),
    ],
    next: [
      ...(ofReview
        ? [{ command: `ralph log ${runId} --round ${round} --review`, what: 'show what the reviewer printed' }]
        : ofRound(run, round, known)),
      ...followUp(run, known),
    ],
  };
}

const showCommand = ({ runId, rounds }: RunView): NextCommand => ({
  command: `ralph show ${runId}`,
  what: rounds.length > 0 ? 'show every round in a table' : 'show what is known of the run',
});

const handoffSaid = (handoff: Handoff | null): string[] =>
  handoff === null ? [] : [`Last handoff: ${handoff.summary}`];

function used({ spend }: RunView): string[] {
  const text = usedText(spend);
  return text === null ? [] : [`It used ${text}.`];
}

/** Where there is more about a round that failed; about what came before the first, all of it. */
function ofRound({ runId }: RunView, round: number, { printed }: KnownEnd): NextCommand[] {
  if (round === 0) {
    return [{ command: printed ? `ralph log ${runId} --round 0` : `ralph show ${runId}`, what: 'show what happened' }];
  }
  return [
    ...(printed ? [{ command: `ralph log ${runId} --round ${round}`, what: 'show what its agent printed' }] : []),
    { command: `ralph show ${runId} --round ${round}`, what: 'show what is known of the round' },
  ];
}

function followUp(run: RunView, { advice }: KnownEnd): NextCommand[] {
  const isClaimed = pendingClaim(run).length > 0;
  return resumeNext(run.runId, advice, {
    what: isClaimed ? 'verify that claim in a follow-up' : 'continue it in a follow-up',
    note: false,
  });
}

function merge(run: RunView, what: string): NextCommand[] {
  const command = mergeCommand(run.work);
  return command === null || !hasWork(run) ? [] : [{ command, what }];
}
