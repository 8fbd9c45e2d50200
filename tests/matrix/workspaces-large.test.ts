import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { engineIndex } from '../../workspaces/repository/engine-repository.ts';
import { lookAtTree } from '../../workspaces/tree/look-at-tree.ts';
import { tooLargeOf } from '../../workspaces/tree/too-large.ts';
import { fingerprint } from '../workspaces/fingerprint.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  userGit,
  userRepository,
  commitWork,
  publish,
} from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const FILES = 20_000;

test('a repository of 20,000 files is taken as it is, left as it was', async () => {
  const folder = userRepository({ 'a.txt': 'one\n' });
  for (let at = 0; at < FILES; at += 1) {
    const inner = join(folder, `d${at % 200}`);
    if (at < 200) mkdirSync(inner);
    writeFileSync(join(inner, `f${at}.txt`), `file ${at}\n`.repeat(10));
  }
  userGit(folder, 'add', '-A');
  userGit(folder, 'commit', '-q', '-m', 'many');
  const before = fingerprint(folder);
  const run = await startRun(folder);
  const first = await run.round(
    'test -z "$(git status --porcelain)"; echo x >> d7/f7.txt; git commit -qam x; echo y > y.txt',
  );
  const second = await run.round('rm -r d3; mv d4 moved');
  const placed = await publish({ ...run, commit: second.commit });
  expect(first).toMatchObject({ changes: { files: 2, insertions: 2, deletions: 0 }, notes: [] });
  expect(second.changes.files).toBe(300);
  expect(placed).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  expect(fingerprint(folder)).toEqual(before);
}, 300_000);

test('a commit of an agent with a file of more than 2 GiB is not brought over: the tree counts', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const { paths, request } = run;
  await beginRound({ paths, round: 1, attempt: 1 });
  shell(
    paths.tree,
    `truncate -s 2049M big.bin; echo work > work.txt
     git -c core.looseCompression=0 -c core.compression=0 add .; git commit -qm big`,
  );
  const done = await commitWork({ paths, request, round: 1, attempt: 1, status: 'continue', summary: 'x' });
  expect(done.notes).toEqual([
    expect.stringContaining("The agent's commits were too large"),
    expect.stringContaining('Too large for a commit'),
  ]);
  expect(userGit(paths.repository, 'ls-tree', '--name-only', done.commit)).toBe('a.txt\nwork.txt');
}, 300_000);

test('of more new files than a checkpoint takes in the last ones are left out', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const { paths } = run;
  shell(
    paths.tree,
    'for d in $(seq 101 301); do mkdir $d; seq -f "$d/%.0f" 1000; done | xargs touch; rm a.txt; echo b > b.txt',
  );
  const call = { gitDir: paths.repository, workTree: paths.tree, index: engineIndex(paths), patienceMs: 60_000 };
  const left = [...tooLargeOf((await lookAtTree(call)).differences)];
  expect([left.length, left.every((name) => name === 'b.txt' || name.startsWith('301/'))]).toEqual([1001, true]);
}, 300_000);
