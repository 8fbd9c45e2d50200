import type { RunView } from '../../client/view/run-view.ts';
import type { WayOn } from '../../client/resume/way-on.ts';
import type { Handoff } from '../../schemas/round/report.ts';
import { endedBy } from './ended-by.ts';
import { checks, stillToDo } from './evidence.ts';
import { placeBack, sinceText } from '../text/line-text.ts';
import { hiddenNotes } from '../text/merge-command.ts';
import { isResume, resumeNext, wayNotes } from '../text/resume-command.ts';
import { budgetPage } from '../text/spent-text.ts';
import type { Why } from './why.ts';

/** What is known of a run that has ended beside what is shown of it. */
export interface KnownEnd {
  /** Of a run that was rolled back, what the next round is given. */
  readonly handoff: Handoff | null;
  readonly way: WayOn;
  /** Whether anything was printed in its last round. */
  readonly printed: boolean;
}

/** Why a run ended, and what became of it since. */
export function whyEnded(run: RunView, known: KnownEnd): Why {
  const { unfinishedRollback: half, runId } = run;
  if (half !== null) {
    return {
      why: `A rollback to ${placeBack(half.to)} was begun and not ended.`,
      evidence: [`Before that: ${endedBy(run, known).why}`],
      next: [
        [`ralph rollback ${runId} --to ${half.to}`, 'end it: nothing else can be done before'],
        [`ralph show ${runId}`, 'what is known of it'],
      ],
    };
  }
  const said = sinceResumed(run, sinceRollback(run, known, endedBy(run, known)));
  return {
    ...said,
    evidence: [...(run.lineEnd === null ? wayNotes(known.way) : []), ...hiddenNotes(run), ...said.evidence],
  };
}

/** What made a run end was taken back with its last rounds, and so was what they left to do. */
function sinceRollback(run: RunView, { handoff, way }: KnownEnd, said: Why): Why {
  const { rollback } = run;
  if (rollback === null) return said;
  const others = said.next.filter(([command]) => !isResume(command) && !command.startsWith('git merge'));
  return {
    why: `It was rolled back to ${placeBack(rollback.to)} after its end: ${sinceText(run)}.`,
    evidence: [
      `Its end, before that: ${said.why}`,
      ...budgetPage(run),
      ...checks(run, 'refused'),
      ...stillToDo(handoff),
    ],
    next: [...resumeNext(run.runId, way, { what: 'go on from there in a new run' }), ...others],
  };
}

function sinceResumed(run: RunView, said: Why): Why {
  const { lineEnd } = run;
  const evidence = [...goneOnText(run), ...said.evidence];
  if (lineEnd === null) return { ...said, evidence };
  return {
    ...said,
    evidence,
    next: [[`ralph why ${lineEnd.runId}`, 'what came of that'], ...said.next.filter(([command]) => !isResume(command))],
  };
}

function goneOnText({ successors, lineEnd }: RunView): string[] {
  const next = successors.at(-1);
  if (next === undefined) return [];
  if (lineEnd === null) return [`${next} went on from it, and was rolled back to where it began.`];
  const { runId, status } = lineEnd;
  if (runId === next) return [`${next} goes on from it: ${status}.`];
  return [`${next} goes on from it, and its line has come to ${runId}: ${status}.`];
}
