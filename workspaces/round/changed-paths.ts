import { git, type GitCall } from '../git/git.ts';
import { unlessStopped } from './unless-stopped.ts';

const MAX_NAMES_BYTES = 400 * 1024 * 1024;

/**
 * Files that a checkpoint would have to read: those that git does not know, without ignored ones, and those that are
 * other than in the index by their size or times. Reads none of them. Names are bytes as Latin-1; a nested repository's
 * ends in "/". Null where git does not get through the tree.
 */
export async function changedPaths(
  call: Pick<GitCall, 'gitDir' | 'workTree' | 'index'>,
  timeoutMs: number,
): Promise<string[] | null> {
  const look = { ...call, timeoutMs, maxOutputBytes: MAX_NAMES_BYTES };
  const args = ['ls-files', '-z', '--others', '--exclude-standard'];
  const unknown = await unlessStopped(git({ ...look, args }));
  if (typeof unknown === 'string' || unknown.stderr.includes('could not open directory')) return null;
  const other = await unlessStopped(
    git({ ...look, args: ['diff-files', '-z', '--name-only', '--ignore-submodules=all'] }),
  );
  if (typeof other === 'string') return null;
  return [unknown, other].flatMap(({ stdout }) => stdout.toString('latin1').split('\0').slice(0, -1));
}
