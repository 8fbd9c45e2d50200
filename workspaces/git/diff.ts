import { readGit } from './read-git.ts';
import type { RunPaths } from '../records/run-paths.ts';

/**
 * What changed between two commits of a run, as a patch or (`stat`) as a list of files. Control characters of file
 * contents are left in: whoever prints it takes them out. Throws RalphError `git-output-too-large` beyond 64 MiB.
 */
export async function diff(asked: { paths: RunPaths; from: string; to: string; stat: boolean }): Promise<string> {
  const { paths, from, to, stat } = asked;
  const args = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none'];
  const shape = stat ? ['--stat'] : [];
  return readGit({
    gitDir: paths.repository,
    args: [...args, ...shape, '--end-of-options', from, to, '--'],
  });
}
