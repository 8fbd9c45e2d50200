import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspaceState } from '../../schemas/loop/preparation.ts';
import { createWorkspace } from '../../workspaces/repository/create-workspace.ts';
import { inspectRepository } from '../../workspaces/repository/inspect-repository.ts';
import { noteSetupMade } from '../../workspaces/tree/setup-made.ts';
import { checkOutClean } from '../../workspaces/verification/check-out-clean.ts';
import { protectedChanges } from '../../workspaces/verification/protected-changes.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import {
  publish,
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userGit,
  userRepository,
  writeFiles,
  type TestRun,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

const plain = (): string => userRepository({ 'a.txt': 'one\n' });

test("a commit that moves a submodule's pointer is a change", async () => {
  const library = userRepository({ 'lib.txt': 'lib\n' });
  const folder = plain();
  shell(folder, `git -c protocol.file.allow=always submodule --quiet add "${library}" lib; git commit -qm lib`);
  const run = await startRun(folder);
  const done = await run.round(`
    git update-index --cacheinfo 160000,$(git rev-parse HEAD),lib; git commit -qm 'Move lib'`);
  expect(done.changes).toEqual({ files: 1, insertions: 0, deletions: 0 });
});

test("repositories that an agent's git add made submodules without .gitmodules are taken out again, and named", async () => {
  const run = await startRun(plain());
  const done = await run.round(`
    git init -q inner; echo x > inner/x; git -C inner add .; git -C inner -c user.name=a -c user.email=a commit -qm x
    git worktree add -q wt; echo work > work.txt; git add -A 2>/dev/null; git commit -qm own
    test "$(git ls-files -s | grep -c ^160000)" = 2`);
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).toBe('a.txt\nwork.txt');
  expect(done.notes[0]).toBe('Nested repositories, kept in the tree only: inner, wt.');
  expect(done.changes).toEqual({ files: 1, insertions: 1, deletions: 0 });
  const next = await run.round('echo more >> work.txt');
  expect(next.notes).toEqual(['Nested repositories, kept in the tree only: inner, wt.']);
  expect(next.changes.files).toBe(1);
});

test('a submodule that an agent adds with its .gitmodules stays', async () => {
  const library = userRepository({ 'lib.txt': 'lib\n' });
  const run = await startRun(plain());
  const done = await run.round(`
    git -c protocol.file.allow=always submodule --quiet add "${library}" lib; git commit -qm 'Add lib'`);
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).toBe('.gitmodules\na.txt\nlib');
});

test('what an agent puts into the folder of a submodule, or in its place, is committed or named', async () => {
  const library = userRepository({ 'lib.txt': 'lib\n' });
  const folder = plain();
  const add = 'git -c protocol.file.allow=always submodule --quiet add';
  shell(folder, `for name in gone file full; do ${add} "${library}" $name; done; git commit -qm libs`);
  const run = await startRun(folder);
  const done = await run.round('rmdir gone file; echo text > file; echo copied > full/lib.txt');
  expect(done.notes).toEqual(['Submodules; what changed in them is kept in the tree only: full.']);
  expect(userGit(run.paths.repository, 'ls-tree', '-r', done.commit)).toMatch(
    /100644 blob \w+\tfile\n160000 commit \w+\tfull$/,
  );
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).not.toContain('gone');
});

const EVIL_URL = `printf '[submodule "x"]\\n\\tpath = x\\n\\turl = -u./evil\\n' > .gitmodules`;

test.each([
  ['wrote', '', ''],
  ['committed', 'git add -A; git commit -qm own', "git's own checks rejected the agent's commits (gitmodulesUrl"],
])(
  "what git's own checks reject, and an agent %s, is left out and named, and the branch moves",
  async (_, more, note) => {
    const run = await startRun(plain());
    const done = await run.round(`${EVIL_URL}; echo work > work.txt; ${more}`);
    expect(done.notes.join()).toMatch(
      /Rejected by git's own checks, and kept in the tree only: \.gitmodules \(gitmodulesUrl: .*-u\.\/evil/,
    );
    expect(done.notes.join()).toContain(note);
    expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).toBe('a.txt\nwork.txt');
    expect(await publish({ ...run, commit: done.commit })).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
    const next = await run.round('rm .gitmodules; echo more >> work.txt');
    expect(next.notes).toEqual([]);
    expect(await publish({ ...run, commit: next.commit })).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  },
);

test("a user's own history may be one that git's checks warn about", async () => {
  const folder = plain();
  shell(
    folder,
    `blob=$(git rev-parse HEAD:a.txt | sed 's/../\\\\x&/g')
    tree=$(printf "0100644 a.txt\\0$blob" | git hash-object -t tree -w --stdin --literally)
    git reset -q --hard $(git commit-tree -p HEAD -m old $tree)`,
  );
  const run = await startRun(folder);
  // Nothing of the run is there any more, so all of the history is sent.
  userGit(folder, 'update-ref', '-d', 'refs/heads/ralph/mend');
  const done = await run.round('echo x > x.txt; git add .; git commit -qm own; git gc -q');
  expect((await publish({ ...run, commit: done.commit })).ref).toBe('refs/ralph-runs/mend');
  expect(() => userGit(folder, 'fsck', '--strict')).toThrow('zeroPaddedFilemode');
});

/** Files as somebody committed them before the attributes came. */
function unnormalized(): string {
  const folder = userRepository({
    'win.bat': 'echo one\r\necho two\r\n',
    'mixed.bat': 'echo one\r\necho two\n',
    'keyword.c': '/* $Id: an old one $ */\n',
    'plain.txt': 'one\n',
  });
  shell(
    folder,
    "printf '*.bat text eol=crlf\\n*.c ident\\n' > .gitattributes; git add .gitattributes; git commit -qm rules",
  );
  return folder;
}

test('a file that holds what was checked out is unchanged, however git would store it today', async () => {
  const run = await startRun(unnormalized());
  const untouched = await run.round('echo work > work.txt; git add -A; git commit -qm own');
  expect(userGit(run.paths.repository, 'diff', '--name-only', untouched.base, untouched.commit)).toBe('work.txt');
  expect(untouched.notes).toEqual([
    expect.stringMatching(/^Stored by the agent's commits .*: keyword.c, mixed.bat, win.bat\.$/),
  ]);
  const touched = await run.round('touch win.bat mixed.bat keyword.c; echo more > more.txt');
  expect(userGit(run.paths.repository, 'diff', '--name-only', touched.base, touched.commit)).toBe('more.txt');
  const globs = ['*.bat', '*.c'];
  const from = run.request.repository.commit;
  expect(await protectedChanges({ paths: run.paths, from, to: touched.commit, globs, most: 9 })).toEqual([]);
});

test('a file that holds other bytes is changed, also if only its line ends are others', async () => {
  const run = await startRun(unnormalized());
  const done = await run.round(`echo echo three >> win.bat; sed -i 's/\\r//' mixed.bat; chmod +x keyword.c`);
  expect(userGit(run.paths.repository, 'diff', '--name-only', done.base, done.commit).split('\n')).toEqual([
    'keyword.c',
    'mixed.bat',
    'win.bat',
  ]);
});

/** A run whose setup has made things before the first round. */
async function runAfterSetup(setup: string): Promise<{ run: TestRun; workspace: WorkspaceState }> {
  const run = await startRun(userRepository({ 'a.txt': 'one\n', '.gitignore': 'node_modules/\n' }));
  const { paths } = run;
  await beginRound({ paths, round: 0, attempt: 1 });
  shell(paths.tree, setup);
  return { run, workspace: await noteSetupMade(paths, await createWorkspace(run)) };
}

const SETUP =
  'ln -s /opt/shared/node_modules node_modules; mkdir gen; echo made > gen/a.ts; echo made > gen/b.ts; git init -q vendored';

test('what the setup command made is no work of the agent while nobody changes it, and is named', async () => {
  const { run, workspace } = await runAfterSetup(SETUP);
  const named = expect.stringMatching(/^The setup command made .*: gen\/, node_modules, vendored\.$/);
  expect(workspace.notes).toEqual([named]);
  expect(await createWorkspace(run)).toEqual(workspace);
  const first = await run.round(
    'test -z "$(git status --porcelain)"; echo work > work.txt; git add -A; git commit -qm own',
  );
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', first.commit)).toBe(
    '.gitignore\na.txt\nwork.txt',
  );
  expect(first.notes).toEqual([named]);
  // The same setup works again where gates run.
  await checkOutClean({ paths: run.paths, commit: first.commit, head: first.commit });
  shell(run.paths.check, SETUP);
  expect(shell(run.paths.check, 'git status --porcelain')).toBe('');

  const second = await run.round('echo changed > gen/b.ts; echo new > gen/c.ts; touch gen/a.ts');
  expect(userGit(run.paths.repository, 'diff', '--name-only', second.base, second.commit).split('\n')).toEqual([
    'gen/a.ts',
    'gen/b.ts',
    'gen/c.ts',
  ]);
  expect(second.notes).toEqual([]);
});

test('what the setup command made and an agent removes is no change', async () => {
  const { run } = await runAfterSetup('echo made > made.txt');
  const done = await run.round('rm made.txt');
  expect(done.changes.files).toBe(0);
});

test("the user's own ignore rules apply, for the engine and for the agent's git, and travel in the request", async () => {
  const folder = plain();
  const home = temporaryFolder();
  writeFiles(home, { ignore: '# mine\n.DS_Store\n.envrc\n' });
  userGit(folder, 'config', 'core.excludesFile', join(home, 'ignore'));
  writeFiles(folder, { '.git/info/exclude': '.idea/\n!.envrc\n' });
  const run = await startRun(folder);
  expect(run.request.ignore).toBe('.DS_Store\n.envrc\n.idea/\n!.envrc\n');
  rmSync(join(home, 'ignore'));
  const done = await run.round(`touch .DS_Store .envrc; mkdir .idea; touch .idea/x
    test "$(git status --porcelain)" = '?? .envrc'`);
  expect(userGit(run.paths.repository, 'ls-tree', '-r', '--name-only', done.commit)).toBe('.envrc\na.txt');
});

test('ignore rules that are too long do not apply, and the launch says so', async () => {
  const folder = plain();
  writeFiles(folder, { '.git/info/exclude': 'x\n'.repeat(20_000) });
  const { ignore, warnings } = await inspectRepository({ path: folder, ref: 'HEAD' });
  expect(ignore).toBe('');
  expect(warnings).toEqual([expect.stringContaining(`${join(folder, '.git/info/exclude')} do not apply`)]);
});

test.each([
  ['a branch and one below it', 'refs/heads/x', 'refs/heads/x/y', 'heads/x'],
  ["what looks like the engine's own name for HEAD", 'refs/head/x', 'refs/heads/z', 'head/x'],
  ['a name that is too long for the disk', `refs/heads/${'é'.repeat(150)}`, 'refs/heads/z', 'heads/z'],
])('%s in packed refs do not decide about the checkpoint: both are kept', async (_, first, second, kept) => {
  const run = await startRun(plain());
  const done = await run.round(`
    echo work > work.txt; git commit -q --allow-empty -m aside; aside=$(git rev-parse HEAD)
    git checkout -q --orphan other; git commit -qm other
    { echo "# pack-refs with: peeled fully-peeled sorted"; echo "$aside ${first}"; echo "$aside ${second}"; } > .git/packed-refs`);
  expect(userGit(run.paths.repository, 'show', `${done.commit}:work.txt`)).toBe('work');
  const space = 'refs/ralph/mend/1.1/';
  const refs = userGit(run.paths.repository, 'for-each-ref', '--format=%(refname)', space).split('\n');
  expect(refs).toContain(space + kept);
  expect(refs).toHaveLength(4);
  expect(done.notes.join()).toMatch(/Kept under another name: .* as refs\/ralph\/mend\/1\.1\/renamed-\d/);
  await beginRound({ paths: run.paths, round: 2, attempt: 1 });
});
