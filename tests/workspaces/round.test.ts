import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { gitCount } from '../../workspaces/git/git.ts';
import { searchObjects } from '../../workspaces/git/search-objects.ts';
import { listNewObjects } from '../../workspaces/round/new-objects.ts';
import { createWorkspace } from '../../workspaces/repository/create-workspace.ts';
import { diff } from '../../workspaces/git/diff.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  userGit,
  userRepository,
  commitWork,
  madeOf,
  publish,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

const show = (repository: string, rev: string, format: string): string =>
  userGit(repository, 'log', '-1', `--format=${format}`, rev);

test('a round of edits becomes one commit with trailers on the branch ralph/<run> of the user', async () => {
  const repository = userRepository({ 'a.txt': 'one\n', 'b/c.txt': 'two\n' });
  const run = await startRun(repository);
  const done = await run.round('echo more >> a.txt; rm b/c.txt; echo new > d.txt', { summary: 'Wrote d.' });
  const placed = await publish({ ...run, commit: done.commit });

  expect(placed).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  expect(done.notes).toEqual([]);
  expect(done.changes).toEqual({ files: 3, insertions: 2, deletions: 1 });
  expect(done.base).toBe(run.request.repository.commit);
  expect(userGit(repository, 'rev-parse', 'ralph/mend', 'ralph/mend^')).toBe(`${done.commit}\n${done.base}`);
  expect(userGit(repository, 'ls-tree', '-r', '--name-only', 'ralph/mend')).toBe('a.txt\nd.txt');
  expect(show(repository, 'ralph/mend', '%an %ae %s')).toBe(
    'Ada "the" Count\\ess ada@example.org Round 1 of mend: Wrote d.',
  );
  expect(show(repository, 'ralph/mend', '%(trailers)')).toBe(
    'Ralph-Run: mend\nRalph-Round: 1\nRalph-Attempt: 1\nRalph-Status: continue',
  );
});

test('a tree that an agent closed to everybody is open again for the next round', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await run.round('chmod 000 .');
  await beginRound({ paths: run.paths, round: 2, attempt: 1 });
  expect(statSync(run.paths.tree).mode & 0o777).toBe(0o700);
});

test('a reported round that changes nothing is a commit, a failed attempt that changes nothing is none', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const failed = await run.round('true', { status: 'failed' });
  expect(failed.commit).toBe(failed.base);
  const reported = await run.round('true', { round: 1, attempt: 2 });
  expect(reported.commit).not.toBe(reported.base);
  expect(reported.changes).toEqual({ files: 0, insertions: 0, deletions: 0 });
});

test('an interrupted attempt leaves its work as a commit, and the next attempt begins from it', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const lost = await run.round('echo half > half.txt', { status: 'interrupted' });
  const next = await run.round('cat half.txt > seen.txt', { round: 1, attempt: 2 });
  expect(next.base).toBe(lost.commit);
  expect(readFileSync(join(run.paths.tree, 'seen.txt'), 'utf8')).toBe('half\n');
});

test.each(['', '\0\0\0\0'])('a checkpoint whose record a power cut took is not made twice', async (left) => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const made = await run.round('echo two >> a.txt; git add a.txt; git commit -qm own; echo b > b.txt');
  writeFileSync(run.paths.checkpoint, left);
  const again = await commitWork({ ...run, round: 1, attempt: 1, status: 'continue', summary: 'Again.' });
  expect(again).toMatchObject({ commit: made.commit, base: made.base, changes: made.changes });
  const next = await run.round('true', { round: 2 });
  expect(next.base).toBe(made.commit);
});

test("an agent's own commits are kept below the checkpoint", async () => {
  const repository = userRepository({ 'a.txt': 'one\n', '.gitignore': 'ignored.txt\n' });
  const run = await startRun(repository);
  const done = await run.round(`
    echo two >> a.txt; git commit -qam "Say two"
    echo secret > ignored.txt; git add -f ignored.txt; git commit -qm "Keep an ignored file"
    echo three > b.txt`);
  await publish({ ...run, commit: done.commit });
  expect(done.notes).toEqual([]);
  expect(userGit(repository, 'log', '--format=%s', 'ralph/mend')).toBe(
    'Round 1 of mend: Did a little.\nKeep an ignored file\nSay two\nfirst',
  );
  expect(userGit(repository, 'ls-tree', '--name-only', 'ralph/mend')).toBe('.gitignore\na.txt\nb.txt\nignored.txt');
  expect(done.changes).toEqual({ files: 3, insertions: 3, deletions: 0 });
});

test('an agent finds a repository in which all everyday commands work, under the name of the user', async () => {
  const repository = userRepository({ 'a.txt': 'one\n' });
  userGit(repository, 'tag', '-m', 'one', 'v1');
  const run = await startRun(repository);
  await run.round('echo first > first.txt');
  const done = await run.round(`
    test -z "$(git status --porcelain)"
    test "$(git log --oneline | wc -l)" = 2
    test "$(git rev-parse --abbrev-ref HEAD)" = ralph
    test "$(git describe --tags --abbrev=0)" = v1
    echo x >> a.txt; git diff --exit-code --quiet && exit 1
    git stash -q; git stash pop -q; git branch side; git add a.txt; git commit -qm mine; git log -1 -p >/dev/null
    test "$(git log -1 --format=%an)" = 'Ada "the" Count\\ess'
    git fsck --no-progress`);
  expect(done.notes).toEqual([]);
});

test('work on several rounds accumulates, and the diff of each is at hand', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const first = await run.round('echo two >> a.txt');
  const second = await run.round('echo three >> a.txt');
  expect(second.base).toBe(first.commit);
  const patch = await diff({ paths: run.paths, from: second.base, to: second.commit, stat: false });
  expect(patch).toContain('+three');
  expect(patch).not.toContain('+two');
  expect(await diff({ paths: run.paths, from: second.base, to: second.commit, stat: true })).toContain(
    '1 insertion(+)',
  );
});

test('a round costs five git processes, and thirteen if an agent made commits: they are imported first', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await beginRound({ paths: run.paths, round: 1, attempt: 1 });
  const start = gitCount.spawned;
  const spawned = (): number => gitCount.spawned - start;
  await beginRound({ paths: run.paths, round: 2, attempt: 1 });
  expect(spawned()).toBe(0);
  shell(run.paths.tree, 'echo x > x.txt; mkdir d; echo y > d/y.txt; rm a.txt');
  const done = await commitWork({ ...run, round: 2, attempt: 1, status: 'continue', summary: 'x' });
  expect(spawned()).toBe(4);
  const found = searchObjects(run.paths, (await listNewObjects({ ...madeOf(done.commit), ...done, ...run })).committed);
  for await (const held of found) void held;
  await publish({ ...run, commit: done.commit });
  expect(spawned()).toBe(5);

  await beginRound({ paths: run.paths, round: 3, attempt: 1 });
  shell(run.paths.tree, 'echo z > z.txt; git add .; git commit -qm own; echo more >> z.txt');
  const own = await commitWork({ ...run, round: 3, attempt: 1, status: 'continue', summary: 'x' });
  await publish({ ...run, commit: own.commit });
  expect(spawned()).toBe(5 + 13);
});

test('creating a workspace again gives the one that is there', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  writeFileSync(join(run.paths.tree, 'kept.txt'), 'kept');
  const again = await createWorkspace(run);
  expect(again).toEqual({ base: run.request.repository.commit, ref: 'refs/heads/ralph/mend', notes: [] });
  expect(statSync(join(run.paths.tree, 'kept.txt')).size).toBe(4);
});

test('files of the run are for its user alone', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await run.round('true');
  expect(shell(run.paths.root, 'stat -c "%a %n" . *.json *.jsonl 2>/dev/null || true').split('\n').toSorted()).toEqual([
    '600 checkpoint.json',
    '600 claim.json',
    '600 published.json',
    '600 request.json',
    '600 workspace.json',
    '700 .',
  ]);
});
