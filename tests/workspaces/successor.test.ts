import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { createWorkspace } from '../../workspaces/repository/create-workspace.ts';
import { diff } from '../../workspaces/git/diff.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { plainPrevious } from '../support/plain-request.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userGit,
  userRepository,
  type TestRun,
  commitWork,
  publish,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

/** A run that did one round, shown in the user's repository. */
async function ended(folder: string): Promise<{ run: TestRun; commit: string }> {
  const run = await startRun(folder);
  const { commit } = await run.round('echo one > one.txt');
  await publish({ ...run, commit });
  return { run, commit };
}

function successorOf({ paths, request }: TestRun, commit: string, runId = 'mend-2') {
  const previous = { ...plainPrevious(request.runId, commit), root: 'mend' };
  return { paths: runPaths(paths.ralphHome, runId), request: { ...request, runId, previous } };
}

async function oneRound(next: ReturnType<typeof successorOf>, script: string) {
  await beginRound({ paths: next.paths, round: 1, attempt: 1 });
  shell(next.paths.tree, script);
  const done = await commitWork({ ...next, round: 1, attempt: 1, status: 'continue', summary: 'More.' });
  return { done, placed: await publish({ ...next, commit: done.commit }) };
}

test('a successor begins at the last checkpoint and moves the one branch of the line on, under its own name', async () => {
  const folder = userRepository({ 'a.txt': 'a\n' });
  const { run, commit } = await ended(folder);
  const next = successorOf(run, commit);
  expect(await createWorkspace(next)).toEqual({ base: commit, ref: 'refs/heads/ralph/mend', notes: [] });
  const { done, placed } = await oneRound(next, 'cat one.txt > two.txt');
  expect(placed).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  expect(userGit(folder, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/heads/ralph/mend');
  expect(userGit(folder, 'log', '--format=%(trailers:key=Ralph-Run,valueonly,separator=)', 'ralph/mend')).toBe(
    'mend-2\nmend',
  );
  expect(userGit(folder, 'show', 'ralph/mend:two.txt')).toBe('one');

  const third = successorOf({ ...run, request: next.request }, done.commit, 'mend-3');
  expect(await createWorkspace(third)).toMatchObject({ base: done.commit, ref: 'refs/heads/ralph/mend' });
});

test('what the user lost meanwhile a successor has from its predecessor, and keeps when that one is gone', async () => {
  const folder = userRepository({ 'a.txt': 'a\n' });
  const { run, commit } = await ended(folder);
  shell(folder, 'git branch -q -D ralph/mend; git reflog expire --expire=now --all; git gc -q --prune=now');
  const next = successorOf(run, commit);
  expect(await createWorkspace(next)).toEqual({
    base: commit,
    ref: 'refs/ralph-runs/mend',
    notes: [expect.stringContaining('deleted by somebody')],
  });
  expect(userGit(folder, 'show', 'refs/ralph-runs/mend:one.txt')).toBe('one');
  rmSync(run.paths.root, { recursive: true });
  const { done } = await oneRound(next, 'echo two > two.txt');
  const base = run.request.repository.commit;
  expect(await diff({ paths: next.paths, from: base, to: done.commit, stat: true })).toMatch(/one\.txt[^]*two\.txt/);
  userGit(next.paths.repository, 'fsck', '--strict');
});

test('a branch that somebody moved between the two runs is left where it is', async () => {
  const folder = userRepository({ 'a.txt': 'a\n' });
  const { run, commit } = await ended(folder);
  shell(folder, 'git branch -f ralph/mend "$(git commit-tree -m theirs HEAD^{tree})"');
  const theirs = userGit(folder, 'rev-parse', 'refs/heads/ralph/mend');
  const next = successorOf(run, commit);
  expect(await createWorkspace(next)).toMatchObject({
    ref: 'refs/ralph-runs/mend',
    notes: [expect.stringContaining('moved by somebody else')],
  });
  expect(userGit(folder, 'rev-parse', 'refs/heads/ralph/mend', 'refs/ralph-runs/mend')).toBe(`${theirs}\n${commit}`);
});

test('a run that was out of the way of its branch hands that on: the successor takes the branch again', async () => {
  const folder = userRepository({ 'a.txt': 'a\n' });
  const run = await startRun(folder);
  userGit(folder, 'checkout', '-q', 'ralph/mend');
  const { commit } = await run.round('echo one > one.txt');
  expect(await publish({ ...run, commit })).toMatchObject({ ref: 'refs/ralph-runs/mend' });
  userGit(folder, 'checkout', '-q', 'main');
  expect(await createWorkspace(successorOf(run, commit))).toMatchObject({ ref: 'refs/heads/ralph/mend', notes: [] });
  expect(userGit(folder, 'for-each-ref', 'refs/ralph-runs')).toBe('');
});

test('a predecessor that never got a workspace is passed over for the one before it', async () => {
  const folder = userRepository({ 'a.txt': 'a\n' });
  const { run, commit } = await ended(folder);
  shell(folder, 'git branch -q -D ralph/mend; git reflog expire --expire=now --all; git gc -q --prune=now');
  const failed = successorOf(run, commit);
  shell(run.paths.ralphHome, 'mkdir -p runs/mend-2');
  writeFileSync(failed.paths.request, JSON.stringify(failed.request));
  const third = successorOf({ ...run, request: failed.request }, commit, 'mend-3');
  expect(await createWorkspace(third)).toMatchObject({ base: commit, ref: 'refs/ralph-runs/mend' });
});

test('a history that reaches back only so far stays so in a successor, also when the user has all of it', async () => {
  const whole = userRepository({ 'a.txt': 'a\n' });
  shell(whole, 'echo b > b.txt; git add -A; git commit -q -m second');
  const folder = join(temporaryFolder(), 'clone');
  shell(whole, `git clone -q --depth 1 "file://${whole}" "${folder}"`);
  const { run, commit } = await ended(folder);
  userGit(folder, 'fetch', '-q', '--unshallow');
  expect(existsSync(join(folder, '.git', 'shallow'))).toBe(false);
  const next = successorOf(run, commit);
  await createWorkspace(next);
  const { done } = await oneRound(next, 'git log --oneline | wc -l > count.txt');
  expect(userGit(folder, 'show', `${done.commit}:count.txt`)).toBe('2');
  userGit(next.paths.repository, 'fsck', '--strict');
});
