import type { ResumeAdvice } from '../resume/resume-advice.ts';
import { givesCommitsUp } from '../../schemas/run/gives-commits-up.ts';
import { rolledBackRounds, rollbackInForce, type RunView, type Work } from '../view/run-view.ts';
import { printableLine } from '../../system/printable.ts';
import { shellWord } from '../../system/shell-word.ts';
import { shortCommit } from './amounts.ts';

/** A command to go on with, and what it does. */
export interface NextCommand {
  readonly command: string;
  readonly what: string;
}

/** Whether a command continues a run. */
export const isResume = ({ command }: NextCommand): boolean => command.startsWith('ralph resume');

/** The command that continues a run which has ended; none where it would be rejected. `note`: a note of the user belongs to it. */
export function resumeNext(
  runId: string,
  advice: ResumeAdvice,
  { what, note }: { what: string; note: boolean },
): NextCommand[] {
  if (advice.kind === 'none') return [];
  if (advice.runId !== runId) return [{ command: advice.command, what: `resume ${advice.runId} instead` }];
  return [{ command: advice.command + (note ? ' --note "…"' : ''), what }];
}

/** What a reader must know about how a run can be continued, or cannot. */
export function adviceNotes(advice: ResumeAdvice): string[] {
  if (advice.kind === 'none') return [...advice.notes];
  return advice.because === null ? [] : [`Resume ${advice.runId} instead: ${advice.because}.`];
}

/** What continued a run. */
export function continuedText({ chain: { continued } }: Pick<RunView, 'chain'>): string | null {
  switch (continued.kind) {
    case 'none':
      return null;
    case 'rolled-back':
      return `It was continued as ${continued.as.join(', ')}, which was rolled back to its beginning.`;
    case 'continued': {
      const { as, last } = continued;
      if (last.runId === as.at(-1)) return `It was continued as ${as.join(', ')} (${last.status}).`;
      return `It was continued as ${as.join(', ')}. The last run of the chain is ${last.runId} (${last.status}).`;
    }
    default:
      return continued satisfies never;
  }
}

/** What became of what a run did after the round that it was rolled back to. */
export function discardedText({ rollback }: Pick<RunView, 'rollback'>): string {
  const back = rollbackInForce(rollback);
  const isNothing = back !== null && !givesCommitsUp(back) && rolledBackRounds(rollback).length === 0;
  return isNothing ? 'nothing came after it' : 'later rounds no longer count, but their usage does';
}

export const placeText = (to: number): string => (to === 0 ? 'its beginning' : `round ${to}`);

/** What takes a run's work over; null: the user's repository does not show it. */
export function mergeCommand(work: Work): string | null {
  if (work.kind === 'branch') return `git merge ${work.branch}`;
  // Any other ref may hold what a shell acts upon.
  return work.kind === 'ref' && HIDDEN.test(work.ref) ? `git merge ${work.ref}` : null;
}

/** A hidden ref of ours, where the branch itself could not be moved, for example because it is checked out. */
const HIDDEN = /^refs\/ralph-runs\/[a-z0-9-]+$/;

/** Where the commits of a run are, if they are not on its branch; null: they are, or there are none. */
export function workNote(work: Work): string | null {
  switch (work.kind) {
    case 'branch':
    case 'not-made':
    case 'unknown':
      return null;
    case 'ref':
      if (work.why !== null) return printableLine(work.why);
      return `The work is at ${printableLine(work.ref)}${work.branch === null ? '' : `, because ${work.branch} could not be moved`}.`;
    case 'engine': {
      const why = work.why === null ? 'The work is not in your repository.' : printableLine(work.why);
      if (work.repository === null) return `${why} The last commit is ${shortCommit(work.commit)}.`;
      const from = shellWord(work.repository);
      return `${why} The commits are in ${work.repository}. To get them, run \`git fetch ${from} checkpoint\` in a repository that you can write to.`;
    }
    default:
      return work satisfies never;
  }
}

/** Whether there is anything to look at or to take over, as far as is known. */
export function hasWork({ rounds, chain }: Pick<RunView, 'rounds' | 'chain'>): boolean {
  const all = [...chain.previous.flatMap((run) => run.rounds), ...rounds];
  return all.some(({ changes }) => changes === null || changes.files > 0);
}
