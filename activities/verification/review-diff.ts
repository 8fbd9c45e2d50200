import { RalphError } from '../../schemas/errors/index.ts';
import { diff } from '../../workspaces/git/diff.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';

/** Most UTF-16 code units of a diff in a reviewer's prompt. */
const MAX_DIFF_CHARS = 60_000;
/** Of them, for the list of files, where the diff is not shown whole. */
const MAX_STAT_CHARS = 12_000;

/** What a run changed, for a reviewer to read: the patch, or the files and the beginning of the patch, with a mark. */
export async function reviewDiff(asked: { paths: RunPaths; from: string; to: string }): Promise<string> {
  const patch = await patchOf(asked);
  if (patch !== null && patch.length <= MAX_DIFF_CHARS) return patch;
  const mark = `[shortened: ${patch === null ? 'more than can be shown' : `${patch.length} characters in all`}. \`git diff ${asked.from}\` in the current folder shows all of it]`;
  const stat = beginning(await diff({ ...asked, stat: true }), MAX_STAT_CHARS);
  const room = MAX_DIFF_CHARS - stat.length - mark.length * 2;
  return [mark, stat, ...(patch === null ? [] : [beginning(patch, room), mark])].join('\n');
}

/** Null: larger than git's output may be here. */
async function patchOf(asked: { paths: RunPaths; from: string; to: string }): Promise<string | null> {
  try {
    return await diff({ ...asked, stat: false });
  } catch (error) {
    if (error instanceof RalphError && error.code === 'git-output-too-large') return null;
    throw error;
  }
}

/** Whole lines, as far as they fit. */
function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('\n', most);
  return end === -1 ? text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '') : text.slice(0, end);
}
