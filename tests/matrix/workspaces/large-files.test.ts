import { existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineIndex } from '../../../workspaces/repository/engine-repository.ts';
import { lookAtTree } from '../../../workspaces/tree/look-at-tree.ts';
import { tooLargeOf } from '../../../workspaces/tree/too-large.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  userGit,
  userRepository,
  writeFiles,
} from '../../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const TOO_LARGE =
  'Too large for a commit (over 100 MiB a file, or 2 GiB or 200,000 files a checkpoint); what is new in them is kept in the tree only';

test('files of 10 GB, new or grown, do not hold a checkpoint: they stay in the tree, and the record names them', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' }));
  const odd = ':(top)[x]* \\';
  const done = await run.round(`truncate -s 10G big.bin a.txt '${odd}'; echo more >> b.txt; echo work > work.txt`);
  expect(done.notes).toEqual([`${TOO_LARGE}: ${odd}, a.txt, big.bin.`]);
  expect(done.changes).toEqual({ files: 2, insertions: 2, deletions: 0 });
  expect(userGit(run.paths.repository, 'ls-tree', '--name-only', done.commit)).toBe('a.txt\nb.txt\nwork.txt');
  expect(userGit(run.paths.repository, 'show', `${done.commit}:a.txt`)).toBe('one');
  for (const name of ['big.bin', 'a.txt', odd]) expect(statSync(join(run.paths.tree, name)).size).toBe(10 * GIB);

  const next = await run.round(`rm '${odd}'; echo small > a.txt; echo small > big.bin`);
  expect(next.notes).toEqual([]);
  expect(next.changes).toEqual({ files: 2, insertions: 2, deletions: 1 });
});

test('an ignored file may be of any size, and what is deleted is no matter', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitignore': 'out/\n' }));
  const done = await run.round('mkdir out; truncate -s 10G out/big.bin; rm b.txt; mkdir b.txt; echo x > b.txt/x');
  expect(done.notes).toEqual([]);
  expect(done.changes.files).toBe(2);
});

test('of files that are too large together the largest are left out', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const { tree, repository } = run.paths;
  for (let at = 1; at <= 31; at += 1) {
    writeFileSync(join(tree, `f${at}`), '');
    truncateSync(join(tree, `f${at}`), 64 * MIB + at * MIB);
  }
  const call = { gitDir: repository, workTree: tree, index: engineIndex(run.paths), patienceMs: 5000 };
  expect([...tooLargeOf((await lookAtTree(call)).differences)].toSorted()).toEqual(['f27', 'f28', 'f29', 'f30', 'f31']);
});

test('of thousands of files that are too large the first are named, and files beside them are committed', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const done = await run.round(`
    mkdir -p deep/many; echo x > deep/beside; echo x > deep/many/small; echo work > work.txt
    for at in $(seq 10000 11499); do echo "deep/many/f$at"; done | xargs truncate -s 10G top`);
  expect(done.notes).toEqual([expect.stringMatching(/: deep\/many\/f10000, .*deep\/many\/f10019, and 1481 more\.$/)]);
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).toBe(
    'a.txt\ndeep/beside\ndeep/many/small\nwork.txt',
  );
});

test.each([
  ['.gitignore', 'mkfifo .gitignore'],
  ['.gitignore of a folder', 'mkdir sub; mkfifo sub/.gitignore; echo x > sub/x'],
  ['.gitattributes', 'mkfifo .gitattributes'],
  ['.gitattributes of a folder', 'mkdir sub; mkfifo sub/.gitattributes; echo x > sub/x'],
  ['HEAD of a nested repository', 'git init -q inner; rm inner/.git/HEAD; mkfifo inner/.git/HEAD'],
])('a FIFO in place of the %s does not hold a checkpoint', async (_, script) => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const done = await run.round(`${script}; echo work > work.txt`);
  expect(userGit(run.paths.repository, 'show', `${done.commit}:work.txt`)).toBe('work');
});

test.each(['.gitignore', '.gitattributes'])('a %s that no git can read is put aside', async (name) => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const done = await run.round(`truncate -s 10G ${name}; echo work > work.txt`);
  expect(userGit(run.paths.repository, 'show', `${done.commit}:work.txt`)).toBe('work');
  expect(done.notes).toEqual([
    `${TOO_LARGE}: ${name}.too-large.`,
    expect.stringContaining(`${name} was renamed to ${name}.too-large`),
  ]);
  expect(existsSync(join(run.paths.tree, `${name}.too-large`))).toBe(true);
});

test('a large file in a locked folder is found there', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const done = await run.round('mkdir locked; truncate -s 10G locked/big; echo x > locked/x; chmod 000 locked');
  expect(done.notes).toEqual([`${TOO_LARGE}: locked/big.`]);
  expect(userGit(run.paths.repository, 'show', `${done.commit}:locked/x`)).toBe('x');
});

test('a file of the base that is too large stays as it was committed', async () => {
  const folder = userRepository({ 'a.txt': 'one\n' });
  shell(folder, 'truncate -s 101M big.bin; git add big.bin; git commit -qm big');
  const run = await startRun(folder);
  expect((await run.round('echo x > x.txt')).notes).toEqual([]);
  writeFiles(run.paths.tree, { 'y.txt': 'y\n' });
  const done = await run.round('echo x >> big.bin');
  expect(done.notes).toEqual([`${TOO_LARGE}: big.bin.`]);
  expect(userGit(run.paths.repository, 'cat-file', '-s', `${done.commit}:big.bin`)).toBe(String(101 * MIB));
});
