import { engineGit } from '../git/git.ts';
import type { NewObject } from '../git/search-objects.ts';
import type { RunPaths } from '../records/run-paths.ts';

const TIMEOUT_MS = 600_000;

/** What a checkpoint added to the engine's repository. */
export interface NewObjects {
  /** What its commit has and its base does not. */
  readonly committed: readonly NewObject[];
  /** What is only in the agent's other branches and its stash, which are kept beside it. */
  readonly beside: readonly NewObject[];
}

/** @param kept a glob of refs: other commits of the same attempt; null: there are none */
export async function listNewObjects(asked: {
  paths: RunPaths;
  base: string;
  commit: string;
  /** Null: not known yet. */
  committed: readonly NewObject[] | null;
  kept: string | null;
}): Promise<NewObjects> {
  const { paths, base, commit, kept } = asked;
  const reachable = async (from: string, ...known: string[]): Promise<NewObject[]> => {
    const args = ['rev-list', '--objects', from, '--not', ...known, '--'];
    const { stdout } = await engineGit({ gitDir: paths.repository, args, timeoutMs: TIMEOUT_MS });
    const lines = stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    return lines.map((line) => ({ oid: line.slice(0, 40), path: line.slice(41) === '' ? null : line.slice(41) }));
  };
  const committed = asked.committed ?? (commit === base ? [] : await reachable(commit, base));
  return { committed, beside: kept === null ? [] : await reachable(`--glob=${kept}`, commit, base) };
}
