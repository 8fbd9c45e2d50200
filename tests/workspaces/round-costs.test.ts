import { createHook } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { beginning } from '../../schemas/loop/state.ts';
import { writeState } from '../../workspaces/records/loop-state.ts';
import { roundStatePath } from '../../workspaces/records/run-paths.ts';
import { publish, removeTemporaryFolders, startRun, userRepository } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const inode = (file: string): number => statSync(file).ino;

/** What was handed to threads meanwhile: operations on files that are waited for, by their kind. */
async function waits(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/^(FSREQ|FILEHANDLECLOSEREQ)/.test(type)) count += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}

test('a round does its small file operations at once: it waits for few, however many files an agent left', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const round = async (script: string): Promise<void> => {
    const { commit } = await run.round(script);
    await publish({ ...run, commit });
  };
  await round('echo 1 > 1.txt');
  const first = await waits(() => round('echo 2 > 2.txt'));
  expect(first).toBeLessThan(80);
  for (let n = 3; n < 7; n += 1) await round(`echo ${n} > ${n}.txt`);
  expect(await waits(() => round('echo 7 > 7.txt'))).toBeLessThanOrEqual(first);
  expect(await waits(() => round('mkdir .git/left; for n in $(seq 100); do echo > .git/left/$n; done'))).toBeLessThan(
    first + 20,
  );
});

test("a round's state is flushed once: it is the run's own file under a second name", async () => {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const state = beginning(run.request);
  await writeState(run.paths, state, 1);
  expect(inode(roundStatePath(run.paths, 1))).toBe(inode(run.paths.state));
  await writeState(run.paths, { ...state, rounds: 1 }, 2);
  expect(inode(roundStatePath(run.paths, 2))).toBe(inode(run.paths.state));
  expect(inode(roundStatePath(run.paths, 1))).not.toBe(inode(run.paths.state));
});
