import type { RunView } from '../../client/view/run-view.ts';
import type { StallCause, UnreleasedEnding } from '../../schemas/run/result.ts';
import { attemptsText, failedCheck } from './attempts-text.ts';
import { checkedWhat } from '../text/check-text.ts';
import { completeText } from './complete-text.ts';
import {
  beforeRounds,
  checks,
  lastRound,
  MOST,
  roundText,
  stillToDo,
  uncheckedClaim,
  unendedRound,
  used,
} from './evidence.ts';
import { faultWords } from './fault-words.ts';
import { hasWork, mergeCommand } from '../text/merge-command.ts';
import { resumeNext } from '../text/resume-command.ts';
import { budgetPage } from '../text/spent-text.ts';
import { stoppedWhen } from './stopped-text.ts';
import type { KnownEnd } from './why-ended.ts';
import type { Why } from './why.ts';

type Next = Why['next'][number];

/** Why a run ended. Where only Temporal's word is known, that. */
export function endedBy(run: RunView, known: KnownEnd): Why {
  const { runId, status, ending, why } = run;
  if (ending !== null && status === ending.status) return ofEnding(run, ending, known);
  const show: Next = [`ralph show ${runId}`, 'what is known of it'];
  if (status === 'terminated') {
    return {
      why: 'Somebody terminated it from outside, say on the page of Temporal: it had no say in it.',
      evidence: [...lastRound(run), ...uncheckedClaim(run)],
      next: [show, ...goOn(run, known)],
    };
  }
  if (status === 'failed')
    return { why: 'It ended for a reason of the engine.', evidence: run.notes, next: [show, ...goOn(run, known)] };
  if (status === 'unknown') {
    return {
      why: 'Whether it goes on is unknown: Temporal cannot be asked, and no ending is written down.',
      evidence: run.notes,
      next: [['ralph up', 'start the server and a worker'], show],
    };
  }
  return {
    why: `It ended as ${status}.`,
    evidence: why === null ? [] : [why],
    next: [show, ...(status === 'complete' ? [] : goOn(run, known))],
  };
}

function ofEnding(run: RunView, ending: UnreleasedEnding, known: KnownEnd): Why {
  const { runId } = run;
  const show: Next = [`ralph show ${runId}`, run.rounds.length > 0 ? 'every round in a table' : 'what is known of it'];
  switch (ending.status) {
    case 'complete':
      return {
        why: `It is ${completeText(run)}.`,
        evidence: [
          ...[ending.report.summary, ...ending.report.evidence, ...checks(run, 'all')].slice(0, 2 * MOST),
          ...used(run),
        ],
        next: [[`ralph diff ${runId}`, 'what changed'], ...merge(run, 'take it over')],
      };
    case 'blocked':
      return {
        why: `It is blocked: ${ending.report.blocker}`,
        evidence: [
          `round ${run.rounds.at(-1)?.round ?? ending.rounds} says: ${ending.report.summary}`,
          ...ending.report.evidence.slice(0, MOST - 1),
          ...used(run),
        ],
        next: [...resumeNext(runId, known.way, { what: 'go on from it, with your answer', note: true }), show],
      };
    case 'budget-limited':
      return {
        why: `Its budget is used up (${ending.budget})${ending.reason === '' ? '' : `: ${ending.reason}`}.`,
        evidence: [
          ...beforeRounds(run),
          ...budgetPage(run),
          ...uncheckedClaim(run),
          ...checks(run, 'refused'),
          ...stillToDo(ending.handoff),
        ],
        next: [
          ...resumeNext(runId, known.way, { what: 'go on from it with more' }),
          show,
          ...merge(run, 'take over what there is, unfinished'),
        ],
      };
    case 'stalled':
      return {
        why: `It got nowhere: ${ending.reason}.`,
        evidence: [...stallEvidence(run, ending.cause), ...stillToDo(ending.handoff), ...used(run)],
        next: [
          show,
          ...resumeNext(runId, known.way, { what: 'go on from it, with a word on what was wrong', note: true }),
        ],
      };
    case 'stopped':
      return {
        why: `It was stopped ${stoppedWhen(run)}, as somebody asked for it.`,
        evidence: [...unendedRound(run), ...uncheckedClaim(run), ...stillToDo(ending.handoff), ...used(run)],
        next: [...goOn(run, known), show],
      };
    case 'round-failed': {
      const { round, attempts, fault } = ending;
      const check = failedCheck(run, round);
      const ofReview = check !== null && check.kind === 'review';
      const words = faultWords(fault.code, ofReview ? 'reviewer' : 'agent');
      const kind = check === null ? null : check.kind;
      const where = failedWhere(run, round, attemptsText(run, { round, attempts, kind }));
      return {
        why: `${where}${words === null ? '' : `: ${words.means}`}.`,
        evidence: [
          `${fault.code}: ${fault.message}`,
          ...(words === null || words.mend === null ? [] : [words.mend]),
          ...(known.printed || round === 0 ? [] : ['Nothing was printed.']),
          ...uncheckedClaim(run),
          ...used(run),
        ],
        next: [
          ...(ofReview
            ? [[`ralph log ${runId} --round ${round} --review`, 'what the reviewer printed'] satisfies Next]
            : ofRound(run, round, known)),
          ...goOn(run, known),
        ],
      };
    }
    case 'cancelled':
      return {
        why: `It was cancelled${ending.reason === null ? '' : `: ${ending.reason}`}.`,
        evidence: [...lastRound(run), ...uncheckedClaim(run), ...used(run)],
        next: [show, ...goOn(run, known)],
      };
    default:
      return ending satisfies never;
  }
}

/** Where there is more of a round that failed; of what came before the first, all of it. */
function ofRound({ runId }: RunView, round: number, { printed }: KnownEnd): Next[] {
  if (round === 0) return [[printed ? `ralph log ${runId} --round 0` : `ralph show ${runId}`, 'what happened']];
  return [
    ...(printed ? [[`ralph log ${runId} --round ${round}`, 'what its agent printed'] satisfies Next] : []),
    [`ralph show ${runId} --round ${round}`, 'what is known of it'],
  ];
}

/** What failed: a round, what comes before the first, or the check of a claim. */
function failedWhere(run: RunView, round: number, attempts: string): string {
  const check = failedCheck(run, round);
  if (check !== null) return `The ${checkedWhat(check)} could not be done in ${attempts}`;
  return round === 0 ? 'Before round 1 it failed' : `Round ${round} failed after ${attempts}`;
}

function stallEvidence(run: RunView, cause: StallCause): string[] {
  switch (cause) {
    case 'unchanged-tree':
      return run.rounds
        .filter(({ changes }) => changes !== null && changes.files === 0)
        .slice(-MOST)
        .map((row) => `${roundText(row, run)} (no changes)`);
    case 'same-fault':
      return lastRound(run);
    case 'claims-refused':
    case 'same-gate-failure':
      return checks(run, 'refused');
    default:
      return cause satisfies never;
  }
}

function goOn(run: RunView, { way }: KnownEnd): Next[] {
  const isClaimed = uncheckedClaim(run).length > 0;
  return resumeNext(run.runId, way, {
    what: isClaimed ? 'have that claim checked, in a new run' : 'go on from it in a new run',
  });
}

const merge = (run: RunView, what: string): Next[] => {
  const command = mergeCommand(run);
  return command === null || !hasWork(run) ? [] : [[command, what]];
};
