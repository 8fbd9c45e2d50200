import { beginRound } from '../../workspaces/round/begin-round.ts';
import { removeTemporaryFolders, shell, startRun, userGit, userRepository } from './user-repository.ts';

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
