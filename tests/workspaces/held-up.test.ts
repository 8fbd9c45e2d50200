import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userGit,
  userRepository,
  commitWork,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

/** A cancel waits for the checkpoint. */
async function checkpointAfter(script: string) {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const { paths, request } = run;
  await beginRound({ paths, round: 1, attempt: 1 });
  shell(paths.tree, script);
  const done = await commitWork({ paths, request, round: 1, attempt: 1, status: 'continue', summary: 'x' });
  return { run, done };
}

test('a commit whose folders unfold to thousands of millions of files does not hold a checkpoint', async () => {
  const { run, done } = await checkpointAfter(`
      echo work > work.txt; entry="100644 blob $(git hash-object -w work.txt)"; kind=f
      for depth in 1 2 3 4 5 6 7 8 9 10; do
        tree=$(for at in 0 1 2 3 4 5 6 7 8 9; do printf '%s\\t%s%s\\n' "$entry" $kind $at; done | git mktree)
        entry="040000 tree $tree"; kind=d
      done
      git reset -q --soft $(git commit-tree -p HEAD -m bomb $tree)`);
  expect(done.notes).toEqual([
    expect.stringContaining("The agent's commits were too large"),
    expect.stringContaining('refs/ralph/mend/1.1/head'),
  ]);
  expect(userGit(run.paths.repository, 'ls-tree', '--name-only', done.commit)).toBe('a.txt\nwork.txt');
});

test.each(['.gitignore', '.gitattributes'])('a %s of a million lines does not hold a checkpoint', async (name) => {
  const { run, done } = await checkpointAfter(`
      mkdir many; for at in $(seq 6000); do echo "many/f$at"; done | xargs touch; echo work > work.txt
      seq -f '*a*b*c*%.0f text' 400000 > ${name}; ls -la ${name}`);
  expect(done.notes).toEqual([expect.stringContaining(`${name} was renamed to ${name}.too-large`)]);
  expect(userGit(run.paths.repository, 'show', `${done.commit}:work.txt`)).toBe('work');
  expect(done.changes.files).toBe(6002);
});

test('a tree that was replaced by a link leads nowhere, is named, and is there again for the next attempt', async () => {
  const outside = temporaryFolder();
  shell(outside, 'echo secret > secret.txt');
  const { run, done } = await checkpointAfter(`cd ..; rm -rf tree; ln -s "${outside}" tree`);
  expect(done.notes).toEqual([expect.stringContaining('removed its workspace')]);
  expect(userGit(run.paths.repository, 'ls-tree', '--name-only', done.commit)).toBe('a.txt');
  expect(readdirSync(outside)).toEqual(['secret.txt']);
  await beginRound({ paths: run.paths, round: 2, attempt: 1 });
  expect(readdirSync(join(run.paths.tree))).toEqual(['.git', 'a.txt']);
  expect(shell(run.paths.tree, 'git status --porcelain')).toBe('');
});
