import { createWorkspace } from '../../../workspaces/repository/create-workspace.ts';
import { keepLate } from '../../../workspaces/rollback/roll-back.ts';
import { readRollbacks, rollBack } from '../../../workspaces/rollback/roll-back.ts';
import { runPaths } from '../../../workspaces/records/run-paths.ts';
import { buildWorkspaces } from '../../workspaces/build-workspaces.ts';
import { expectWholeAfterKills } from '../../workspaces/killed-roll-back.ts';
import { KEPT, refs, standing, threeRounds } from '../../workspaces/three-rounds.ts';
import { plainPrevious } from '../../support/plain-request.ts';
import { removeTemporaryFolders, shell, userGit } from '../../workspaces/user-repository.ts';

const build = buildWorkspaces();
afterAll(() => {
  build.remove();
  removeTemporaryFolders();
});

const unreachable = (folder: string): string[] =>
  userGit(folder, 'fsck', '--unreachable', '--no-reflogs', '--no-progress')
    .split('\n')
    .filter((row) => row !== '');

test('checkpoint and branch go back, later rounds are void, and what was given up is reachable in both', async () => {
  const { run, folder, commits } = await threeRounds();
  const done = await rollBack({ ...run, to: 1 });
  expect(done).toMatchObject({ number: 1, to: 1, commit: commits[1], abandoned: commits[3], keptAt: KEPT, done: true });
  expect(done).toMatchObject({ ref: 'refs/heads/ralph/mend', notes: [] });
  expect(refs(folder)).toEqual([`refs/heads/ralph/mend ${commits[1]}`, `${KEPT} ${commits[3]}`]);
  expect(userGit(run.paths.repository, 'rev-parse', 'checkpoint', KEPT)).toBe(`${commits[1]}\n${commits[3]}`);
  expect(await standing(run)).toEqual(['1 valid', '2 void', '3 void']);
  expect([...unreachable(folder), ...unreachable(run.paths.repository)]).toEqual([]);
  expect(userGit(folder, 'log', '--format=%s', KEPT, '^ralph/mend').split('\n')).toEqual([
    'Round 3 of mend: Did a little.',
    'own',
    'Round 2 of mend: Did a little.',
  ]);
});

test('done again it changes nothing; a further one has a ref of its own; what is not there is refused', async () => {
  const { run, folder, commits } = await threeRounds();
  const first = await rollBack({ ...run, to: 2 });
  expect(await rollBack({ ...run, to: 2 })).toEqual(first);
  await expect(rollBack({ ...run, to: 3 })).rejects.toThrow(/no checkpoint of round 3.*rounds: 0, 1, 2 /);
  const second = await rollBack({ ...run, to: 0 });
  expect(second).toMatchObject({ number: 2, commit: commits[0], abandoned: commits[2] });
  expect(await readRollbacks(run.paths)).toEqual([first, second]);
  expect(refs(folder)).toEqual([
    `refs/heads/ralph/mend ${commits[0]}`,
    `${KEPT} ${commits[3]}`,
    `refs/ralph-abandoned/mend/2 ${commits[2]}`,
  ]);
});

test('a run that nothing came after stands there already', async () => {
  const { run } = await threeRounds();
  await expect(rollBack({ ...run, to: 3 })).rejects.toMatchObject({ code: 'nothing-to-roll-back' });
  expect(await readRollbacks(run.paths)).toEqual([]);
});

test('a branch that the user moved is left, and said so; the work given up is kept all the same', async () => {
  const { run, folder, commits } = await threeRounds();
  shell(folder, 'git branch -f ralph/mend "$(git commit-tree -m theirs HEAD^{tree})"; git gc -q --prune=now');
  const theirs = userGit(folder, 'rev-parse', 'refs/heads/ralph/mend');
  const done = await rollBack({ ...run, to: 1 });
  expect(done).toMatchObject({
    ref: 'refs/ralph-runs/mend',
    notes: [expect.stringContaining('moved by somebody else')],
  });
  expect(refs(folder)).toEqual([
    `refs/heads/ralph/mend ${theirs}`,
    `${KEPT} ${commits[3]}`,
    `refs/ralph-runs/mend ${commits[1]}`,
  ]);
  userGit(folder, 'fsck', '--strict');
});

test('where the ref cannot be kept in the repository nothing is moved, and it can be tried again', async () => {
  const { run, folder, commits } = await threeRounds();
  userGit(folder, 'update-ref', 'refs/ralph-abandoned', 'HEAD');
  await expect(rollBack({ ...run, to: 1 })).rejects.toMatchObject({ code: 'rollback-not-kept' });
  expect(userGit(folder, 'rev-parse', 'ralph/mend')).toBe(commits[3]);
  expect(userGit(run.paths.repository, 'rev-parse', 'checkpoint')).toBe(commits[3]);
  expect(await standing(run)).toEqual(['1 valid', '2 valid', '3 valid']);
  userGit(folder, 'update-ref', '-d', 'refs/ralph-abandoned');
  expect(await rollBack({ ...run, to: 2 })).toMatchObject({ number: 1, to: 2, commit: commits[2] });
});

test('a repository that is gone gets a note; the run goes back all the same', async () => {
  const { run, folder, commits } = await threeRounds();
  shell(folder, `mv "${folder}" "${folder}.away"; mkdir "${folder}"`);
  const done = await rollBack({ ...run, to: 1 });
  expect(done).toMatchObject({ ref: null, kept: false, notes: [expect.stringContaining('is gone')] });
  await keepLate(run);
  expect((await readRollbacks(run.paths)).map(({ kept }) => kept)).toEqual([false]);
  shell(folder, `rmdir "${folder}"; mv "${folder}.away" "${folder}"`);
  expect(userGit(run.paths.repository, 'rev-parse', 'checkpoint', KEPT)).toBe(`${commits[1]}\n${commits[3]}`);
});

test('a successor goes on from where its predecessor was taken back to, on the same branch', async () => {
  const { run, folder, commits } = await threeRounds();
  const { commit } = await rollBack({ ...run, to: 1 });
  const previous = plainPrevious('mend', commit);
  const next = {
    paths: runPaths(run.paths.ralphHome, 'mend-2'),
    request: { ...run.request, runId: 'mend-2', previous },
  };
  expect(await createWorkspace(next)).toEqual({ base: commits[1], ref: 'refs/heads/ralph/mend', notes: [] });
  expect(shell(next.paths.tree, 'ls')).toBe('1\na.txt');
  expect(userGit(folder, 'rev-parse', 'ralph/mend')).toBe(commits[1]);

  const before = refs(folder);
  const without = { ...next, request: { ...next.request, previous: null } };
  await expect(
    rollBack({ ...without, request: { ...without.request, repository: { ...run.request.repository, commit } }, to: 0 }),
  ).rejects.toThrow(/is already at its beginning/);
  // One that did nothing is given up, and leaves no ref of nothing.
  expect(await rollBack({ ...next, to: 0 })).toMatchObject({ to: 0, commit, abandoned: commit, done: true });
  expect(refs(folder)).toEqual(before);
  expect(userGit(next.paths.repository, 'for-each-ref', 'refs/ralph-abandoned')).toBe('');
});

/** The whole matrix is in tests/matrix/roll-back-killed.test.ts. */
test('killed on its way it is made whole by calling it again', async () => {
  expect(await expectWholeAfterKills(build.folder, 6)).toBeGreaterThan(3);
});

test('what was given up while the repository was away is placed there once it is back', async () => {
  const { run, folder, commits } = await threeRounds();
  shell(folder, `mv "${folder}" "${folder}.away"; mkdir "${folder}"`);
  await rollBack({ ...run, to: 2 });
  await rollBack({ ...run, to: 1 });
  shell(folder, `rmdir "${folder}"; mv "${folder}.away" "${folder}"`);
  expect(await rollBack({ ...run, to: 1 })).toMatchObject({
    number: 2,
    ref: 'refs/heads/ralph/mend',
    kept: true,
    notes: [],
  });
  const second = `refs/ralph-abandoned/mend/2 ${commits[2]}`;
  expect(refs(folder)).toEqual([`refs/heads/ralph/mend ${commits[1]}`, second]);
  await keepLate(run);
  expect(refs(folder)).toEqual([`refs/heads/ralph/mend ${commits[1]}`, `${KEPT} ${commits[3]}`, second]);
  expect((await readRollbacks(run.paths)).map(({ kept }) => kept)).toEqual([true, true]);
});
