import { shellWord } from '../../system/shell-word.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';

/** Where the commits of a run are that its user's repository does not show. Null: it shows them, or there are none. */
export function unplacedNote(last: AttemptOutcome | null, { repository }: RunPaths): string | null {
  const checkpoint = last === null ? null : last.checkpoint;
  if (checkpoint === null) return null;
  if (checkpoint.ref !== null) {
    const { ref, notes } = checkpoint;
    return ref.startsWith('refs/heads/') ? null : (notes.findLast((note) => note.includes(ref)) ?? null);
  }
  const why = checkpoint.notes.at(-1) ?? 'The work is not in your repository.';
  return `${why} The commits are in ${repository}: in a repository that can be written to, git fetch ${shellWord(repository)} checkpoint`;
}
