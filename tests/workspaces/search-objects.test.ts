import { searchObjects } from '../../workspaces/git/search-objects.ts';
import { listNewObjects } from '../../workspaces/round/new-objects.ts';
import { madeOf, removeTemporaryFolders, startRun, userGit, userRepository } from './user-repository.ts';

afterAll(removeTemporaryFolders);

type Run = Awaited<ReturnType<typeof startRun>>;

/** Where words stand in what an attempt committed: paths of files, null for messages and names. */
async function wherein(run: Run, made: Awaited<ReturnType<Run['round']>>, word: string): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  const { paths } = run;
  const { committed, beside } = await listNewObjects({ ...madeOf(made.commit), ...made, paths });
  for await (const { path, text } of searchObjects(paths, [...committed, ...beside])) {
    if (text.includes(word)) found.push(path);
  }
  return found;
}

test('files, messages and names of files that an attempt committed are searched, also of its other branches and stashes', async () => {
  const run = await startRun(userRepository({ 'old.txt': 'was there: needle\n' }));
  const made = await run.round(`
    printf 'a needle in a file' > 'with space.txt'; git add .; git commit -qm 'a needle in a message'
    printf x > a-needle; git add .; git commit -qm names
    printf 'needle, gone again' > gone; git add .; git commit -qm add; git rm -q gone; git commit -qm remove
    git checkout -q -b deep/side; printf 'needle aside' > side.txt; git add .; git commit -qm side; git checkout -q -
    printf 'needle stashed' > stashed.txt; git add .; git stash -q
    printf 'needle left' > left.txt`);
  const found = await wherein(run, made, 'needle');
  expect(new Set(found)).toEqual(new Set(['with space.txt', 'gone', 'side.txt', 'stashed.txt', 'left.txt', null]));
});

test('an attempt that committed nothing has nothing to search', async () => {
  const run = await startRun(userRepository({ 'old.txt': 'needle\n' }));
  expect(await wherein(run, await run.round('true', { status: 'failed' }), '')).toEqual([]);
});

test('objects in a pack are searched as loose ones are, large files left out', async () => {
  const run = await startRun(userRepository({ 'old.txt': 'x\n' }));
  const made = await run.round(`printf needle > a.txt; { printf needle; head -c 4194304 /dev/zero; } > large.bin`);
  userGit(run.paths.repository, 'repack', '-a', '-d', '-q');
  userGit(run.paths.repository, 'prune-packed', '-q');
  expect(await wherein(run, made, 'needle')).toEqual(['a.txt']);
});

test('many objects are searched to the last one, and files that are too large are left out', async () => {
  const run = await startRun(userRepository({ 'old.txt': 'x\n' }));
  const made = await run.round(`
    mkdir many; for n in $(seq 1 400); do echo "needle $n" > many/$n; done
    head -c 4194304 /dev/zero | tr '\\0' n > just; printf needle >> just; { cat just; echo x; } > large
    head -c 4194298 just > fits; printf needle >> fits; rm just`);
  const found = await wherein(run, made, 'needle');
  expect(found).toHaveLength(401);
  expect(found).toContain('fits');
});
