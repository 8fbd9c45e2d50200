import type { RunView } from '../../client/view/run-view.ts';

/** A hidden ref of ours, where the branch itself could not be moved, say as it is checked out. */
const HIDDEN = /^refs\/ralph-runs\/[a-z0-9-]+$/;

const isHidden = (ref: string | null): ref is string => ref !== null && HIDDEN.test(ref);

/** What takes a run's work over; null: no ref of ours shows it. Any other ref may hold what a shell acts upon. */
export function mergeCommand({ ref, branch }: Pick<RunView, 'ref' | 'branch'>): string | null {
  if (branch !== null && ref === `refs/heads/${branch}`) return `git merge ${branch}`;
  return isHidden(ref) ? `git merge ${ref}` : null;
}

/** Why the work is not on the branch, where it is at a ref of ours. */
export function hiddenNotes({ ref, branch, notes }: Pick<RunView, 'ref' | 'branch' | 'notes'>): string[] {
  if (!isHidden(ref) || branch === null) return [];
  const told = notes.filter((note) => note.includes(ref));
  return told.length > 0 ? told : [`The work is at ${ref}, as ${branch} could not be moved.`];
}

/** Whether there is anything to look at or to take over, as far as is known. */
export function hasWork({ rounds, earlier }: Pick<RunView, 'rounds' | 'earlier'>): boolean {
  const all = [...earlier.flatMap((run) => run.rounds), ...rounds];
  return all.some(({ changes }) => changes === null || changes.files > 0);
}
