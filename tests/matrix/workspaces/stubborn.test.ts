import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofKeptTree } from '../../../activities/round/verdict.ts';
import { removeTree } from '../../../workspaces/files/remove-tree.ts';
import { beginRound } from '../../../workspaces/round/begin-round.ts';
import { treeState } from '../../../workspaces/round/tree-state.ts';
import { checkOutClean, removeCheckout } from '../../../workspaces/verification/check-out-clean.ts';
import {
  commitWork,
  publish,
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userGit,
  userRepository,
} from '../../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const plain = (): string => userRepository({ 'a.txt': 'one\n' });

/** Folders in folders, a file in the last: 13 KiB of path. */
const DEEPLY = `python3 -c "
import os
for n in range(1200):
    os.mkdir('folder-%d' % n); os.chdir('folder-%d' % n)
open('last.txt', 'w').write('x')"`;

const ls = (repository: string, commit: string): string[] =>
  userGit(repository, 'ls-tree', '-r', '--name-only', commit).split('\n');

test('a path that is too long for the system is left out and named, and the rest is committed', async () => {
  const run = await startRun(plain());
  const done = await run.round(`mkdir deep; cd deep; echo x > near.txt; ${DEEPLY}; cd ..; echo work > work.txt`);
  expect(ls(run.paths.repository, done.commit)).toEqual(['a.txt', 'deep/near.txt', 'work.txt']);
  expect(done.notes).toEqual([
    expect.stringMatching(/^Not everything could be committed.*deep\/folder-0\/folder-1\/.*its path is too long/),
  ]);
  expect((await publish({ ...run, commit: done.commit })).note).toBeNull();
  const next = await run.round('rm -rf deep; echo more >> work.txt');
  expect(next.notes).toEqual([]);
});

test('a path that is too long in tree/.git costs neither the round nor the next one', async () => {
  const run = await startRun(plain());
  const done = await run.round(`(cd .git/objects; ${DEEPLY}); (cd .git/refs/heads; ${DEEPLY}); echo work > work.txt
    git add work.txt; git commit -qm own`);
  expect(done.notes).toEqual([]);
  expect(ls(run.paths.repository, done.commit)).toEqual(['a.txt', 'work.txt']);
  await beginRound({ paths: run.paths, round: 2, attempt: 1 });
  expect(existsSync(run.paths.quarantine)).toBe(false);
});

test('what a gate leaves deep in its checkout does not hold the next checkout', async () => {
  const run = await startRun(plain());
  const { base, paths } = { base: run.request.repository.commit, paths: run.paths };
  await checkOutClean({ paths, commit: base, head: base });
  shell(paths.check, DEEPLY);
  shell(paths.checkCache, `${DEEPLY}; chmod 000 folder-0`);
  await checkOutClean({ paths, commit: base, head: base });
  expect(readdirSync(paths.check).toSorted()).toEqual(['.git', 'a.txt']);
  await removeCheckout(paths);
  expect(readdirSync(paths.root).filter((name) => name.startsWith('check'))).toEqual([]);
});

test('a tree of folders within and beyond reach is removed to the last one', async () => {
  const folder = join(temporaryFolder(), 'target');
  mkdirSync(folder);
  shell(folder, `for name in a b; do mkdir $name; (cd $name; ${DEEPLY}); done; chmod 000 a/folder-0`);
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

/** Only root can, and not on every file system: elsewhere this shows that nothing else breaks. */
const freeze = (files: string): string => `chattr +i ${files} 2>/dev/null || true`;

test.each([
  ['.git', '.git'],
  ['a file of .git', '.git/HEAD .git/index'],
  ['the tree', '.'],
  ['a file of the tree', 'a.txt work.txt'],
])('%s that nobody may change costs neither the work nor the next round', async (_, files) => {
  const run = await startRun(plain());
  const done = await run.round(`echo work > work.txt; ${freeze(files)}`);
  expect(ls(run.paths.repository, done.commit)).toEqual(['a.txt', 'work.txt']);
  const next = await run.round('git status --porcelain; chattr -R -i . 2>/dev/null || true; echo more >> work.txt');
  expect(next.notes).toEqual([]);
  expect(next.changes).toEqual({ files: 1, insertions: 1, deletions: 0 });
});

test('what a gate froze does not hold the next checkout', async () => {
  const run = await startRun(plain());
  const commit = run.request.repository.commit;
  await checkOutClean({ paths: run.paths, commit, head: commit });
  shell(run.paths.check, `mkdir x; touch x/y; ${freeze('x/y x .')}`);
  await checkOutClean({ paths: run.paths, commit, head: commit });
  expect(readdirSync(run.paths.check).toSorted()).toEqual(['.git', 'a.txt']);
});

test.each([
  ['removed', 'rm -rf ../tree', 'gone'],
  ['moved away', 'mv ../tree ../elsewhere', 'gone'],
  ['replaced by a file', 'rm -rf ../tree; touch ../tree', 'gone'],
  ['replaced by another folder', 'mv ../tree ../elsewhere; mkdir ../tree; echo new > ../tree/new.txt', 'replaced'],
  ['replaced by a repository', 'rm -rf ../tree; git init -q ../tree; echo new > ../tree/new.txt', 'replaced'],
] as const)('a workspace that an agent %s is named, and completes nothing', async (_, script, state) => {
  const run = await startRun(plain());
  const { paths, request } = run;
  await run.round('echo first > first.txt');
  await beginRound({ paths, round: 2, attempt: 1 });
  shell(paths.tree, script);
  expect(await treeState(paths)).toBe(state);
  const report = { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' } as const;
  expect(
    ofKeptTree({ kind: 'reported', report: { ...report, evidence: ['e'], nextSteps: [] }, finalText: null }, state),
  ).toMatchObject({
    kind: 'failed',
    fault: { code: 'report-invalid' },
  });
  const made = () => commitWork({ paths, request, round: 2, attempt: 1, status: 'failed', summary: 's' });
  const done = await made();
  expect(done.notes.join()).toMatch(/workspace/);
  expect(await made()).toEqual(done);
  const files = state === 'gone' ? ['a.txt', 'first.txt'] : ['a.txt', 'first.txt', 'new.txt'];
  expect(ls(paths.repository, done.commit)).toEqual(files);
  const next = await run.round('test -z "$(git status --porcelain)"; echo on > on.txt', { round: 2, attempt: 2 });
  expect(next.notes).toEqual([]);
  expect(ls(paths.repository, next.commit)).toEqual([...files, 'on.txt'].toSorted());
});

test('a workspace that an agent copied with its repository, to put the copy in its place, is as good', async () => {
  const run = await startRun(plain());
  await beginRound({ paths: run.paths, round: 1, attempt: 1 });
  shell(run.paths.tree, 'rm a.txt; cp -a ../tree ../copy; rm -rf ../tree; mv ../copy ../tree; echo x > ../tree/x.txt');
  expect(await treeState(run.paths)).toBe('kept');
  const asked = { paths: run.paths, request: run.request, round: 1, attempt: 1 };
  const done = await commitWork({ ...asked, status: 'complete', summary: 's' });
  expect(ls(run.paths.repository, done.commit)).toEqual(['x.txt']);
});

test('a workspace that is whole keeps its completion claim', async () => {
  const run = await startRun(plain());
  await beginRound({ paths: run.paths, round: 1, attempt: 1 });
  writeFileSync(join(run.paths.tree, 'x'), '');
  expect(await treeState(run.paths)).toBe('kept');
});
