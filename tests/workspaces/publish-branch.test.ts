import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspace } from '../../workspaces/repository/create-workspace.ts';
import { recordAttempt } from '../../workspaces/records/attempts.ts';
import { lostAttempt } from '../support/records.ts';
import {
  publish as publishCommit,
  removeTemporaryFolders,
  shell,
  startRun,
  userGit,
  userRepository,
  type TestRun,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

const plain = (): string => userRepository({ 'a.txt': 'one\n' });

const publish = (run: TestRun, commit: string) => publishCommit({ ...run, commit });

test('what the user rewrites and collects as garbage does not break the run', async () => {
  const folder = plain();
  const run = await startRun(folder);
  await run.round('echo x > x.txt');
  shell(
    folder,
    `git commit -q --amend -m rewritten; git branch -q -D ralph/mend; git reflog expire --expire=now --all
     git gc -q --prune=now`,
  );
  const done = await run.round('echo y > y.txt; git log --oneline | wc -l > count.txt');
  expect(readFileSync(join(run.paths.tree, 'count.txt'), 'utf8').trim()).toBe('2');
  const placed = await publish(run, done.commit);
  expect(placed).toEqual({ ref: 'refs/ralph-runs/mend', note: expect.stringContaining('was deleted by somebody') });
  expect(userGit(folder, 'log', '--format=%s', 'refs/ralph-runs/mend').split('\n')).toHaveLength(3);
  userGit(folder, 'fsck', '--full', '--strict');
});

test('a branch named ralph leaves no room for ralph/<run>: the run is at refs/ralph-runs/<run>', async () => {
  const folder = plain();
  userGit(folder, 'branch', 'ralph');
  const run = await startRun(folder);
  const state = await createWorkspace(run);
  expect(state).toMatchObject({
    ref: 'refs/ralph-runs/mend',
    notes: [expect.stringContaining("'refs/heads/ralph' exists")],
  });
  const done = await run.round('echo x > x.txt');
  expect((await publish(run, done.commit)).ref).toBe('refs/ralph-runs/mend');
  expect(userGit(folder, 'rev-parse', 'refs/ralph-runs/mend', 'ralph')).toBe(`${done.commit}\n${done.base}`);
});

test('a branch stays the run’s if a power cut took what was last written of it', async () => {
  const folder = plain();
  const run = await startRun(folder);
  const first = await run.round('echo x > x.txt');
  await publish(run, first.commit);
  writeFileSync(run.paths.published, '');
  // Killed right after the branch moved.
  expect(await publish(run, first.commit)).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  writeFileSync(run.paths.published, '');
  await recordAttempt(run.paths, lostAttempt({ checkpoint: { ...first, ref: null } }));
  const second = await run.round('echo y > y.txt', { round: 2 });
  expect(await publish(run, second.commit)).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  writeFileSync(run.paths.published, '');
  userGit(folder, 'branch', '-f', 'ralph/mend', 'main');
  expect(await publish(run, second.commit)).toMatchObject({ note: expect.stringContaining('moved by somebody else') });
});

test('a branch that the user has checked out stays where it is until they leave it', async () => {
  const folder = plain();
  const run = await startRun(folder);
  const first = await run.round('echo x > x.txt');
  await publish(run, first.commit);
  userGit(folder, 'checkout', '-q', 'ralph/mend');
  const second = await run.round('echo y > y.txt');
  expect(await publish(run, second.commit)).toEqual({
    ref: 'refs/ralph-runs/mend',
    note: expect.stringContaining('checked out'),
  });
  expect(userGit(folder, 'status', '--porcelain')).toBe('');
  // Its short name is that of the branch alone: git warns of one that is ambiguous.
  expect(shell(folder, 'git rev-parse ralph/mend 2>&1')).toBe(first.commit);
  userGit(folder, 'checkout', '-q', 'main');
  const third = await run.round('echo z > z.txt');
  expect(await publish(run, third.commit)).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  expect(userGit(folder, 'for-each-ref', 'refs/ralph-runs')).toBe('');
});

test.each([
  ['moved', 'git branch -f ralph/mend "$(git commit-tree -m theirs HEAD^{tree})"'],
  ['set back', 'git branch -f ralph/mend main'],
])('a branch that somebody else %s is not overwritten', async (_how, script) => {
  const folder = plain();
  const run = await startRun(folder);
  await publish(run, (await run.round('echo x > x.txt')).commit);
  await publish(run, (await run.round('echo x2 > x.txt')).commit);
  shell(folder, script);
  const theirs = userGit(folder, 'rev-parse', 'refs/heads/ralph/mend');
  const done = await run.round('echo y > y.txt');
  expect(await publish(run, done.commit)).toEqual({
    ref: 'refs/ralph-runs/mend',
    note: expect.stringContaining('moved by somebody else'),
  });
  expect(userGit(folder, 'rev-parse', 'refs/heads/ralph/mend')).toBe(theirs);
});

test('a lock that a killed git left on the branch of the run is removed, and no other', async () => {
  const folder = plain();
  const run = await startRun(folder);
  writeFileSync(join(folder, '.git/refs/heads/ralph/mend.lock'), '');
  writeFileSync(join(folder, '.git/refs/heads/main.lock'), '');
  const done = await run.round('echo x > x.txt');
  expect(await publish(run, done.commit)).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  expect(existsSync(join(folder, '.git/refs/heads/main.lock'))).toBe(true);
});

test('a branch of an earlier run with the same id is left alone', async () => {
  const folder = plain();
  shell(folder, 'git branch ralph/mend "$(git commit-tree -m earlier HEAD^{tree})"');
  const run = await startRun(folder);
  expect(await createWorkspace(run)).toMatchObject({ ref: 'refs/ralph-runs/mend' });
});

test('a repository that is gone costs the branch, not the round', async () => {
  const folder = plain();
  const run = await startRun(folder);
  const done = await run.round('echo x > x.txt');
  shell(folder, `mv "${folder}" "${folder}.away"; mkdir "${folder}"`);
  expect(await publish(run, done.commit)).toEqual({ ref: null, note: expect.stringContaining('is gone') });
  shell(folder, `rmdir "${folder}"; mv "${folder}.away" "${folder}"`);
  expect(await publish(run, done.commit)).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
});

test('a repository that a group shares keeps its rights for what a round adds', async () => {
  const folder = plain();
  userGit(folder, 'config', 'core.sharedRepository', 'group');
  shell(folder, 'chmod -R g+rws .git/objects');
  const run = await startRun(folder);
  const done = await run.round('mkdir -p d/e; for n in $(seq 40); do echo $n > d/e/$n; done');
  expect((await publish(run, done.commit)).ref).toBe('refs/heads/ralph/mend');
  const added = userGit(folder, 'rev-list', '--objects', done.commit, '--not', done.base).split('\n');
  const folders = [...new Set(added.map((line) => line.slice(0, 2)))];
  expect(shell(join(folder, '.git/objects'), `stat -c %A ${folders.join(' ')} | cut -c 5-7 | sort -u`)).toBe('rws');
});

test('objects are linked into the repository of the user, which costs no room', async () => {
  const folder = plain();
  const run = await startRun(folder);
  const done = await run.round('echo x > x.txt');
  await publish(run, done.commit);
  const at = `objects/${done.commit.slice(0, 2)}/${done.commit.slice(2)}`;
  expect(statSync(join(folder, '.git', at)).ino).toBe(statSync(join(run.paths.repository, at)).ino);
});

test('an object that is no longer loose in the repository of the run reaches the user all the same', async () => {
  const folder = plain();
  const run = await startRun(folder);
  const done = await run.round('echo x > x.txt');
  userGit(run.paths.repository, 'repack', '-a', '-d', '-q');
  userGit(run.paths.repository, 'prune-packed', '-q');
  expect(await publish(run, done.commit)).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  userGit(folder, 'fsck', '--full', '--strict');
});
