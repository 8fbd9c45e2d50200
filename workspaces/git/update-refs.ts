import { git, type Identity } from './git.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { pastStaleLocks } from './stale-lock.ts';

/** One ref's move; `from` null: whatever it is at now. */
interface RefMove {
  readonly name: string;
  readonly to: string;
  readonly from: string | null;
}

/** Move refs of the engine's own repository, all or none. Throws GitError where a ref is not at `from`. */
export async function updateRefs(asked: {
  paths: RunPaths;
  identity: Identity;
  moves: readonly RefMove[];
}): Promise<void> {
  const { paths, identity, moves } = asked;
  const text = moves.map(({ name, to, from }) => `update ${name}\0${to}\0${from ?? ''}\0`).join('');
  const call = { gitDir: paths.repository, identity, args: ['update-ref', '-z', '--stdin'], stdin: { text } };
  await pastStaleLocks(
    (lock) => lock.startsWith(paths.repository),
    () => git(call),
  );
}
