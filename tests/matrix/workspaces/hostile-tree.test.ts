import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addToIndex } from '../../../workspaces/tree/add-to-index.ts';
import { lookAtTree } from '../../../workspaces/tree/look-at-tree.ts';
import { beginRound } from '../../../workspaces/round/begin-round.ts';
import { engineIndex } from '../../../workspaces/repository/engine-repository.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userGit,
  userRepository,
  publish,
} from '../../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const plain = (): string => userRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });

/** What an agent may make of its repository. `work.txt` is always there, and must always be in the checkpoint. */
const broken: { title: string; script: string; note: string }[] = [
  { title: 'deleted .git', script: 'rm -rf .git', note: 'deleted tree/.git' },
  { title: 'put a file in place of .git', script: 'rm -rf .git; echo x > .git', note: 'replaced tree/.git' },
  { title: 'emptied .git', script: 'rm -rf .git/*', note: 'HEAD in tree/.git was broken' },
  {
    title: 'wrote nonsense to HEAD',
    script: 'head -c 100000 /dev/urandom > .git/HEAD',
    note: 'HEAD in tree/.git was broken',
  },
  { title: 'made HEAD a FIFO', script: 'rm .git/HEAD; mkfifo .git/HEAD', note: 'HEAD in tree/.git was broken' },
  {
    title: 'made HEAD a link to the outside',
    script: 'git rev-parse HEAD > ../out; ln -sf "$PWD/../out" .git/HEAD',
    note: 'HEAD in tree/.git was broken',
  },
  {
    title: 'damaged the objects of its commit',
    script: `git commit -qm x --allow-empty; f=.git/objects/$(git rev-parse HEAD | sed 's,^..,&/,'); chmod u+w $f; echo bad > $f`,
    note: 'incomplete or broken',
  },
  {
    title: 'lost a file of its commit',
    script: `git add work.txt; git commit -qm x; rm -f .git/objects/$(git rev-parse HEAD:work.txt | sed 's,^..,&/,')`,
    note: 'incomplete or broken',
  },
  {
    title: 'stored one object under the name of another',
    script: `git add work.txt; git commit -qm x; f=$(git rev-parse HEAD:work.txt | sed 's,^..,&/,'); g=$(echo evil | git hash-object -w --stdin | sed 's,^..,&/,')
      rm -f .git/objects/$f; mv .git/objects/$g .git/objects/$f`,
    note: 'incomplete or broken',
  },
  {
    title: 'stored another commit under the name of its last one',
    script: `git commit -qm x --allow-empty; f=$(git rev-parse HEAD | sed 's,^..,&/,'); git commit -q --amend --allow-empty -m other
      g=$(git rev-parse HEAD | sed 's,^..,&/,'); git reset -q --soft HEAD@{1}; rm -f .git/objects/$f; mv .git/objects/$g .git/objects/$f`,
    note: 'incomplete or broken',
  },
  {
    title: 'committed a path that git forbids',
    script: `blob=$(echo x | git hash-object -w --stdin); sub=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree)
      tree=$(printf '040000 tree %s\\t.git\\n' $sub | git mktree); git reset -q --soft $(git commit-tree -p HEAD -m x $tree)`,
    note: "git's own checks rejected the agent's commits",
  },
  {
    title: 'made its objects a link',
    script: 'git commit -qm x --allow-empty; mv .git/objects ../objs; ln -s "$PWD/../objs" .git/objects',
    note: 'incomplete or broken',
  },
  {
    title: 'amended the base',
    script: 'git commit -q --amend -m other',
    note: "no longer went on from the round's base",
  },
  { title: 'went back', script: 'git checkout -q HEAD~1', note: "no longer went on from the round's base" },
  {
    title: 'began an unrelated history',
    script: 'git checkout -q --orphan other; git commit -qm other',
    note: "no longer went on from the round's base",
  },
  {
    title: 'left a rebase half done',
    script: `git checkout -q -b side; echo s > a.txt; git commit -qam s; git checkout -q ralph; echo m > a.txt; git commit -qam m
      git rebase side >/dev/null 2>&1 || true`,
    note: 'rebase was left half done',
  },
  {
    title: 'left a merge half done',
    script: `git checkout -q -b side; echo s > a.txt; git commit -qam s; git checkout -q ralph; echo m > a.txt; git commit -qam m
      git merge side >/dev/null 2>&1 || true`,
    note: 'merge was left half done',
  },
];

test.each(broken)('the work of an agent that $title is not lost, and the record says so', async ({ script, note }) => {
  const run = await startRun(plain());
  await run.round('echo first > first.txt');
  const done = await run.round(`echo work > work.txt; ${script}`);
  expect(done.notes.join('\n')).toContain(note);
  expect(userGit(run.paths.repository, 'show', `${done.commit}:work.txt`)).toBe('work');
  expect(userGit(run.paths.repository, 'merge-base', done.base, done.commit)).toBe(done.base);
  const next = await run.round('git status --porcelain; git log --oneline | head -n 1; echo on >> work.txt');
  expect(next.notes).toEqual([]);
  expect(next.changes).toEqual({ files: 1, insertions: 1, deletions: 0 });
  const placed = await publish({ ...run, commit: next.commit });
  expect(placed.ref).toBe('refs/heads/ralph/mend');
  userGit(run.request.repository.path, 'fsck', '--strict');
});

test('other branches, tags and the stash of an agent are kept in the repository of the run', async () => {
  const run = await startRun(plain());
  const done = await run.round(`
    echo stashed > a.txt; git stash -q; echo again > a.txt; git stash -q
    git checkout -q -b side/way; echo side > side.txt; git add .; git commit -qm side; git tag -m t tagged
    git checkout -q ralph; git gc -q; echo main > main.txt; git add .; git commit -qm main`);
  const refs = userGit(run.paths.repository, 'for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n');
  const space = 'refs/ralph/mend/1.1';
  expect(refs).toEqual([`${space}/heads/side/way`, `${space}/stash/0`, `${space}/stash/1`, `${space}/tags/tagged`]);
  expect(userGit(run.paths.repository, 'show', `${space}/stash/0:a.txt`)).toBe('again');
  expect(userGit(run.paths.repository, 'show', `${space}/stash/1:a.txt`)).toBe('stashed');
  expect(done.notes).toEqual([expect.stringContaining(`${space}/heads/side/way`)]);
  userGit(run.paths.repository, 'fsck', '--strict');
});

test("objects from outside the agent's reach cannot be drawn in by alternates", async () => {
  const secret = userRepository({ 'key.txt': 'secret\n' });
  const oid = userGit(secret, 'rev-parse', 'HEAD:key.txt');
  const run = await startRun(plain());
  const done = await run.round(`
    echo "${secret}/.git/objects" >> .git/objects/info/alternates
    tree=$(printf '100644 blob ${oid}\\tkey.txt\\n' | git mktree); git reset -q --soft $(git commit-tree -p HEAD -m x $tree)`);
  expect(done.notes.join('\n')).toContain('incomplete or broken');
  expect(() => userGit(run.paths.repository, 'cat-file', '-p', oid)).toThrow('Not a valid object name');
});

test('a nested repository stays in the tree, and the record names it', async () => {
  const run = await startRun(plain());
  const done = await run.round(`
    for name in inner "in ner" empty; do git init -q "$name"; echo x > "$name/x"; done
    for name in inner "in ner"; do git -C "$name" -c user.name=a -c user.email=a commit -q --allow-empty -m x; done
    echo work > work.txt`);
  expect(done.notes).toEqual(['Nested repositories, kept in the tree only: empty, in ner, inner.']);
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).toBe('a.txt\nb.txt\nwork.txt');
  expect(done.changes.files).toBe(1);
  expect(readFileSync(join(run.paths.tree, 'inner/x'), 'utf8')).toBe('x\n');
  expect(existsSync(join(run.paths.tree, 'inner/.git/HEAD'))).toBe(true);
});

test('a repository made in a folder of tracked files does not hide the work in it', async () => {
  const run = await startRun(userRepository({ 'src/a.txt': 'one\n' }));
  const done = await run.round('git init -q src; echo two >> src/a.txt; echo new > src/new.txt');
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).toBe('src/a.txt\nsrc/new.txt');
});

test('a submodule that an agent populated works in later rounds, and is named as kept in the tree', async () => {
  const library = userRepository({ 'lib.txt': 'lib\n' });
  const folder = plain();
  shell(folder, `git -c protocol.file.allow=always submodule --quiet add "${library}" lib; git commit -qm lib`);
  const run = await startRun(folder);
  const first = await run.round(`git -c protocol.file.allow=always submodule --quiet update --init
    cd lib; echo more >> lib.txt; git -c user.name=a -c user.email=a commit -qam more`);
  const second = await run.round('git status >/dev/null; git -C lib log -1 --format=%s > said.txt');
  expect(first.notes).toEqual(['Submodules; what changed in them is kept in the tree only: lib.']);
  expect(first.changes.files).toBe(0);
  expect(second.changes.files).toBe(1);
  expect(userGit(run.paths.repository, 'show', `${second.commit}:said.txt`)).toBe('more');
  const third = await run.round('git rm -qf lib; git commit -qm "Drop lib"');
  expect(userGit(run.paths.repository, 'ls-tree', '--name-only', third.commit)).not.toContain('lib');
});

test('FIFOs, sockets, locked folders and endless links in the tree do not stop a checkpoint', async () => {
  const run = await startRun(plain());
  const done = await run.round(`
    mkfifo fifo; rm b.txt; mkfifo b.txt; ln -s . loop; ln -s /dev/zero zero; mkdir locked; echo x > locked/x; chmod 000 locked
    touch $'bad-\\xff'; touch "git~1" 2>/dev/null; echo work > work.txt`);
  const names = userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit).split('\n');
  expect(names).toEqual(expect.arrayContaining(['a.txt', 'loop', 'work.txt', 'zero']));
  expect(names).not.toContain('fifo');
  expect(done.notes.join()).toContain('git~1');
});

test('attributes that make git give up are passed over, and the record says so', async () => {
  const run = await startRun(plain());
  const done = await run.round(`echo '* working-tree-encoding=UTF-32' > .gitattributes; printf abc > work.txt`);
  expect(done.notes.join()).toContain('.gitattributes were not followed');
  expect(userGit(run.paths.repository, 'show', `${done.commit}:work.txt`)).toBe('abc');
});

test('a nested repository that would make git wait for ever is mended', async () => {
  const run = await startRun(plain());
  await beginRound({ paths: run.paths, round: 1, attempt: 1 });
  shell(
    run.paths.tree,
    'rm -rf .git; git init -q inner; rm inner/.git/HEAD; mkfifo inner/.git/HEAD; echo work > work.txt',
  );
  const index = join(temporaryFolder(), 'index');
  writeFileSync(index, readFileSync(engineIndex(run.paths)));
  const call = { gitDir: run.paths.repository, workTree: run.paths.tree, index, patienceMs: 1500 };
  await addToIndex(call, (await lookAtTree(call)).differences);
  expect(readFileSync(index).includes('work.txt')).toBe(true);
  expect(existsSync(join(run.paths.tree, 'inner/.git/HEAD'))).toBe(false);
});
