import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reviewDiff } from '../../../activities/verification/review-diff.ts';
import { beginRound } from '../../../workspaces/round/begin-round.ts';
import { checkOutClean, removeCheckout } from '../../../workspaces/verification/check-out-clean.ts';
import { diff } from '../../../workspaces/git/diff.ts';
import { engineEnvironment, gitSettings } from '../../../workspaces/git/git-environment.ts';
import { protectedChanges } from '../../../workspaces/verification/protected-changes.ts';
import { rollBack } from '../../../workspaces/rollback/roll-back.ts';
import { searchObjects } from '../../../workspaces/git/search-objects.ts';
import { listNewObjects } from '../../../workspaces/round/new-objects.ts';
import { watchProtected } from '../../../workspaces/verification/watch-protected.ts';
import { watchTracked } from '../../../workspaces/verification/watch-tracked.ts';
import { injections, type Injection } from '../../workspaces/injections.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  tryShell,
  userRepository,
  type TestRun,
  commitWork,
  madeOf,
  publish,
} from '../../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

/** Everything the engine's git ever does to a run's tree and repository, twice over. */
async function everyEngineCommand(run: TestRun): Promise<void> {
  const { paths, request } = run;
  for (const round of [1, 3]) {
    if (round > 1) await beginRound({ paths, round, attempt: 1 });
    const done = await commitWork({ paths, request, round, attempt: 1, status: 'continue', summary: 'x' });
    await publish({ paths, request, commit: done.commit });
    await diff({ paths, from: done.base, to: done.commit, stat: false });
    await diff({ paths, from: done.base, to: done.commit, stat: true });
    await reviewDiff({ paths, from: done.base, to: done.commit });
    await checkOutClean({ paths, commit: done.commit, head: done.commit });
    await (
      await watchProtected(paths, ['*.txt'])
    )();
    await removeCheckout(paths);
    const tracked = await watchTracked(paths, { isBaseline: false });
    const had = existsSync(join(paths.tree, 'a.txt'));
    rmSync(join(paths.tree, 'a.txt'), { force: true });
    await tracked();
    expect(existsSync(join(paths.tree, 'a.txt'))).toBe(had);
    await protectedChanges({ paths, from: done.base, to: done.commit, globs: ['*.txt'], most: 9 });
    const { committed, beside } = await listNewObjects({ ...madeOf(done.commit), ...done, paths });
    for await (const held of searchObjects(paths, [...committed, ...beside])) void held;
    await beginRound({ paths, round: round + 1, attempt: 1 });
    await commitWork({ paths, request, round: round + 1, attempt: 1, status: 'interrupted', summary: '' });
  }
  await rollBack({ paths, request, to: 0 });
}

async function planted({ plant }: Injection, canary: string): Promise<TestRun> {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await beginRound({ paths: run.paths, round: 1, attempt: 1 });
  shell(run.paths.tree, `CANARY=${canary}\n${plant}`);
  return run;
}

/** A copy of the tree, in which a script is run. */
function inCopy(tree: string, work: (copy: string) => void): void {
  const copy = join(dirname(tree), 'copy');
  cpSync(tree, copy, { recursive: true, verbatimSymlinks: true });
  work(copy);
  rmSync(copy, { recursive: true });
}

/** As `tryShell`, with the engine's settings and environment for git. */
function tryEngineShell(cwd: string, script: string): void {
  const git = `git() { command git ${gitSettings.join(' ')} "$@"; }`;
  const how = { cwd, env: engineEnvironment() };
  spawnSync('bash', ['--norc', '-c', `${git}\n${script}`], { ...how, stdio: 'ignore', timeout: 10_000 });
}

test.each(injections)("the engine's git runs nothing of: $title", async (injection) => {
  const canary = join(temporaryFolder(), 'canary');
  const run = await planted(injection, canary);

  // The same tree makes a plain git run it: the injection is a live one.
  inCopy(run.paths.tree, (copy) => tryShell(copy, `CANARY=${canary}\n${injection.falls}`));
  expect(existsSync(canary)).toBe(true);
  rmSync(canary);

  // So does one with the engine's settings where only the choice of commands keeps the engine from it.
  inCopy(run.paths.tree, (copy) => tryEngineShell(copy, injection.falls));
  expect(existsSync(canary)).toBe(injection.plumbingOnly === true);
  rmSync(canary, { force: true });

  await everyEngineCommand(run);
  expect(existsSync(canary)).toBe(false);
});
