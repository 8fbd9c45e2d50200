import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOutClean, removeCheckout } from '../../workspaces/verification/check-out-clean.ts';
import { removeTemporaryFolders, shell, startRun, tryShell, userGit, userRepository } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const ignoring = (): string => userRepository({ 'a.txt': 'one\n', '.gitignore': 'node_modules/\n' });

test('what an agent left beside its commit is not in the checkout, and what it committed is', async () => {
  const run = await startRun(ignoring());
  const { commit } = await run.round('mkdir node_modules; echo evil > node_modules/jest; echo two > b.txt');
  writeFileSync(join(run.paths.tree, 'late.txt'), 'after the checkpoint');
  await checkOutClean({ paths: run.paths, commit, head: commit });
  expect(readdirSync(run.paths.check).toSorted()).toEqual(['.git', '.gitignore', 'a.txt', 'b.txt']);
  expect(statSync(run.paths.check).mode & 0o777).toBe(0o700);
});

test('nothing of an earlier checkout or its caches is left, however an agent locked it', async () => {
  const run = await startRun(ignoring());
  const { base } = await run.round('true');
  await checkOutClean({ paths: run.paths, commit: base, head: base });
  shell(run.paths.check, 'mkdir -p node_modules/x; touch node_modules/x/y; chmod 000 node_modules/x; echo lie > a.txt');
  writeFileSync(join(run.paths.checkCache, 'poison'), '');
  await checkOutClean({ paths: run.paths, commit: base, head: base });
  expect(readdirSync(run.paths.check).toSorted()).toEqual(['.git', '.gitignore', 'a.txt']);
  expect(readFileSync(join(run.paths.check, 'a.txt'), 'utf8')).toBe('one\n');
  expect(readdirSync(run.paths.checkCache)).toEqual([]);
});

test('an earlier commit can be checked out as well, and the tree of the run stays as it is', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const first = await run.round('echo two > a.txt');
  await run.round('echo three > a.txt; echo dirty > b.txt');
  await checkOutClean({ paths: run.paths, commit: first.commit, head: first.commit });
  expect(readFileSync(join(run.paths.check, 'a.txt'), 'utf8')).toBe('two\n');
  expect(readFileSync(join(run.paths.tree, 'a.txt'), 'utf8')).toBe('three\n');
  const after = await run.round('test -z "$(git status --porcelain)"');
  expect(after.notes).toEqual([]);
});

test('git works in the checkout as it does in a round', async () => {
  const repository = userRepository({ 'a.txt': 'one\n' });
  userGit(repository, 'tag', '-m', 'one', 'v1');
  const run = await startRun(repository);
  const { commit } = await run.round('echo two > b.txt');
  await checkOutClean({ paths: run.paths, commit, head: commit });
  const asked = `git status --porcelain; git rev-parse HEAD --abbrev-ref HEAD; git describe --tags --abbrev=0
    git ls-files; git fsck --no-progress`;
  expect(shell(run.paths.check, asked).split('\n')).toEqual([commit, 'ralph', 'v1', 'a.txt', 'b.txt']);
});

test('nothing that a tree holds is run or followed while it is checked out', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const outside = join(run.paths.root, 'outside');
  mkdirSync(outside);
  const { commit } = await run.round(`
    ln -s ${outside} out
    printf '* filter=evil working-tree-encoding=nonsense ident eol=crlf\\n' > .gitattributes
    git config filter.evil.smudge 'touch ${outside}/ran'; git config filter.evil.clean cat; git config filter.evil.required true
    mkdir hooks; printf '#!/bin/sh\\ntouch ${outside}/ran\\n' > hooks/post-checkout; chmod +x hooks/post-checkout
    git config core.hooksPath hooks`);
  await checkOutClean({ paths: run.paths, commit, head: commit });
  expect(readdirSync(outside)).toEqual([]);
  // What is built in a checkout can be swapped for a link to somewhere else: removing it must not follow that.
  writeFileSync(join(outside, 'kept'), '');
  tryShell(run.paths.root, 'rm -rf check; ln -s outside check');
  await checkOutClean({ paths: run.paths, commit, head: commit });
  expect(readdirSync(outside)).toEqual(['kept']);
  expect(statSync(run.paths.check).isDirectory()).toBe(true);
});

test('it is taken away as a whole', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const { base } = await run.round('true');
  await checkOutClean({ paths: run.paths, commit: base, head: base });
  await removeCheckout(run.paths);
  await removeCheckout(run.paths);
  expect([run.paths.check, run.paths.checkCache].filter((folder) => existsSync(folder))).toEqual([]);
  expect(readdirSync(run.paths.scratch)).toEqual([]);
});
