import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../support/wait-for.ts';
import { CHECKPOINT_REF, lastCheckpoint } from '../../workspaces/repository/engine-repository.ts';
import {
  publish as publishCommit,
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userGit,
  userRepository,
  type TestRun,
} from './user-repository.ts';

afterAll(removeTemporaryFolders);

/** Work with a git in front of PATH that moves a ref right before an `update-ref` with such a word: somebody was faster. */
async function racing<T>({ word, ref, to }: { word: string; ref: string; to: string }, work: () => Promise<T>) {
  const folder = temporaryFolder();
  shell(
    folder,
    `cat > git <<'END'
#!/bin/bash
git=${execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()}
case " $* " in *' update-ref '*' ${word} '*)
  before=()
  for each; do [ "$each" = update-ref ] && break; before+=("$each"); done
  "$git" "\${before[@]}" update-ref --no-deref ${ref} ${to} </dev/null && touch "\${0%/*}/moved" ;;
esac
exec "$git" "$@"
END
    chmod +x git`,
  );
  const path = process.env['PATH'] ?? '';
  process.env['PATH'] = `${folder}:${path}`;
  try {
    return await work();
  } finally {
    process.env['PATH'] = path;
    // It was raced, or the test shows nothing.
    shell(folder, 'test -e moved');
  }
}

const publish = (run: TestRun, commit: string) => publishCommit({ ...run, commit });

/** A run whose branch is at its first round, and a commit of the user's. */
async function published(): Promise<{ run: TestRun; folder: string; theirs: string }> {
  const folder = userRepository({ 'a.txt': 'one\n' });
  const run = await startRun(folder);
  await publish(run, (await run.round('echo x > x.txt')).commit);
  return { run, folder, theirs: shell(folder, 'git commit-tree -m theirs HEAD^{tree}') };
}

test('a branch that somebody moves between being read and being moved is not overwritten', async () => {
  const { run, folder, theirs } = await published();
  const { commit } = await run.round('echo y > y.txt');
  const branch = 'refs/heads/ralph/mend';
  const placed = await racing({ word: branch, ref: branch, to: theirs }, () => publish(run, commit));
  expect(placed).toEqual({ ref: 'refs/ralph-runs/mend', note: expect.stringContaining('could not be written') });
  expect(userGit(folder, 'rev-parse', branch, 'refs/ralph-runs/mend')).toBe(`${theirs}\n${commit}`);
});

test('a ref in its place that somebody moves between being read and being removed stays', async () => {
  const { run, folder, theirs } = await published();
  userGit(folder, 'checkout', '-q', 'ralph/mend');
  const { commit } = await run.round('echo y > y.txt');
  const hidden = 'refs/ralph-runs/mend';
  expect(await publish(run, commit)).toMatchObject({ ref: hidden });
  userGit(folder, 'checkout', '-q', 'main');
  const placed = await racing({ word: hidden, ref: hidden, to: theirs }, () => publish(run, commit));
  expect(placed).toMatchObject({ ref: 'refs/heads/ralph/mend' });
  expect(userGit(folder, 'rev-parse', hidden, 'ralph/mend')).toBe(`${theirs}\n${commit}`);
});

test('a checkpoint that moves between being read and being moved, as by a rollback, keeps what moved it', async () => {
  const { run } = await published();
  const base = run.request.repository.commit;
  const before = await lastCheckpoint(run.paths);
  // Whoever moves it holds its lock.
  const lock = join(run.paths.repository, `${CHECKPOINT_REF}.lock`);
  writeFileSync(lock, `${base}\n`);
  const late = run.round('echo y > y.txt');
  const moved = waitFor(
    'the commit',
    10_000,
    async () => existsSync(run.paths.checkpoint) && isNewer(run, before),
  ).then(() => renameSync(lock, join(run.paths.repository, CHECKPOINT_REF)));
  await expect(late).rejects.toMatchObject({ code: 'attempt-superseded' });
  await moved;
  expect(await lastCheckpoint(run.paths)).toBe(base);
});

/** Whether the next checkpoint was decided, and only the engine's ref is to move. */
const isNewer = ({ paths }: TestRun, before: string): boolean =>
  readFileSync(paths.checkpoint, 'utf8').includes(`"base": "${before}"`);
