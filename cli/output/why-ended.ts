import type { RunView } from '../../client/run-view.ts';
import type { Handoff } from '../../schemas/report.ts';
import { endedBy } from './ended-by.ts';
import { checks, stillToDo } from './evidence.ts';
import { placeBack, VOID } from './line-text.ts';
import { resumeCommand } from './resume-command.ts';
import { budgetPage } from './spent-text.ts';
import type { Why } from './why.ts';

/**
 * Why a run ended, and what became of it since.
 * @param handoff of a run that was rolled back: what the next round is given
 */
export function whyEnded(run: RunView, handoff: Handoff | null): Why {
  const { unfinishedRollback: half, runId } = run;
  if (half !== null) {
    return {
      why: `A rollback to ${placeBack(half.to)} was begun and not ended.`,
      evidence: [`Before that: ${endedBy(run).why}`],
      next: [
        [`ralph rollback ${runId} --to ${half.to}`, 'end it: nothing else can be done before'],
        [`ralph show ${runId}`, 'what is known of it'],
      ],
    };
  }
  return sinceResumed(run, sinceRollback(run, handoff, endedBy(run)));
}

/** What made a run end was taken back with its last rounds, and so was what they left to do. */
function sinceRollback(run: RunView, handoff: Handoff | null, said: Why): Why {
  const { rollback } = run;
  if (rollback === null) return said;
  const others = said.next.filter(([command]) => !isResume(command) && !command.startsWith('git merge'));
  return {
    why: `It was rolled back to ${placeBack(rollback.to)} after its end: ${VOID}.`,
    evidence: [
      `Its end, before that: ${said.why}`,
      ...budgetPage(run),
      ...checks(run, 'refused'),
      ...stillToDo(handoff),
    ],
    next: [[resumeCommand(run), 'go on from there in a new run'], ...others],
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

const isResume = (command: string): boolean => command.startsWith('ralph resume');
