import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beginRound } from '../../workspaces/begin-round.ts';
import { checkpoint } from '../../workspaces/checkpoint.ts';
import { checkOutClean, removeCheckout } from '../../workspaces/check-out-clean.ts';
import { diff } from '../../workspaces/diff.ts';
import { protectedChanges } from '../../workspaces/protected-changes.ts';
import { publishBranch } from '../../workspaces/publish-branch.ts';
import { searchCommits } from '../../workspaces/search-commits.ts';
import { injections, type Injection } from './injections.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  tryShell,
  userRepository,
  type TestRun,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

/** Everything the engine's git ever does to a run's tree and repository, twice over. */
async function everyEngineCommand(run: TestRun): Promise<void> {
  const { paths, request } = run;
  for (const round of [1, 3]) {
    if (round > 1) await beginRound({ paths, round, attempt: 1 });
    const done = await checkpoint({ paths, request, round, attempt: 1, status: 'continue', summary: 'x' });
    await publishBranch({ paths, request, commit: done.commit });
    await diff({ paths, from: done.base, to: done.commit, stat: false });
    await diff({ paths, from: done.base, to: done.commit, stat: true });
    await checkOutClean({ paths, commit: done.commit });
    await removeCheckout(paths);
    await protectedChanges({ paths, from: done.base, to: done.commit, globs: ['*.txt'], most: 9 });
    for await (const brought of searchCommits({ ...done, paths, runId: request.runId, round, attempt: 1 }))
      void brought;
    await beginRound({ paths, round: round + 1, attempt: 1 });
    await checkpoint({ paths, request, round: round + 1, attempt: 1, status: 'interrupted', summary: '' });
  }
}

async function planted({ plant }: Injection, canary: string): Promise<TestRun> {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await beginRound({ paths: run.paths, round: 1, attempt: 1 });
  shell(run.paths.tree, `CANARY=${canary}\n${plant}`);
  return run;
}

test.each(injections)("the engine's git runs nothing of: $title", async (injection) => {
  const canary = join(temporaryFolder(), 'canary');
  const run = await planted(injection, canary);

  // The same tree makes a plain git run it: the injection is a live one.
  const copy = join(dirname(run.paths.tree), 'copy');
  cpSync(run.paths.tree, copy, { recursive: true, verbatimSymlinks: true });
  tryShell(copy, `CANARY=${canary}\n${injection.falls}`);
  expect(existsSync(canary)).toBe(true);

  rmSync(canary);
  rmSync(copy, { recursive: true });
  await everyEngineCommand(run);
  expect(existsSync(canary)).toBe(false);
});
