import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Checkpoint } from '../../schemas/round/round.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { listNewObjects } from '../../workspaces/round/new-objects.ts';
import { createWorkspace } from '../../workspaces/repository/create-workspace.ts';
import { runPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { startCommit, type RunRequest } from '../../schemas/run/run.ts';
import { plainPrevious } from '../support/plain-request.ts';
import {
  requestFor,
  shell,
  temporaryFolder,
  userGit,
  userRepository,
  writeFiles,
  commitWork,
  madeOf,
  publish,
} from './user-repository.ts';

const FIXTURE = join(process.cwd(), 'tests', 'fixtures', 'workspaces', 'phase.mjs');

export const phases = ['createWorkspace', 'createSuccessor', 'beginRound', 'checkpoint', 'publishBranch'] as const;
export type Phase = (typeof phases)[number];

/** A run at the point where a phase is about to begin, which can be put back to that point. */
export interface Stage {
  /** Run the phase in a process of its own. Null where that was killed. */
  run(killAt?: number, when?: 'before' | 'during'): { result: unknown; steps: number; gits: number } | null;
  restore(): void;
  /** Go on to the end of two rounds, and expect all to be as if nothing had been killed. */
  expectWhole(result: unknown): Promise<void>;
}

const AGENT = `echo half > half.txt; git stash -qu; echo own > own.txt; git add own.txt; git commit -qm "My own"; echo work > work.txt`;
const ROUND = { round: 1, attempt: 1, status: 'continue', summary: 'Did it.' } as const;

export async function stageBefore(phase: Phase, build: string): Promise<Stage> {
  const root = temporaryFolder();
  const home = join(root, 'home');
  const repository = userRepository({ 'a.txt': 'one\n', 'b/c.txt': 'two\n' });
  const first = { paths: runPaths(home, 'mend'), request: await requestFor(repository, 'mend') };
  writeFiles(home, { keep: '' });
  if (phase !== 'createWorkspace') await createWorkspace(first);
  const { paths, request } = phase === 'createSuccessor' ? await endRun(first) : first;
  if (phase === 'checkpoint' || phase === 'publishBranch') await prepareRound(paths);
  const done = phase === 'publishBranch' ? await commitWork({ paths, request, ...ROUND }) : null;
  const { commit, base } = done ?? { commit: null, base: null };
  const added = done === null ? null : (await listNewObjects({ ...madeOf(done.commit), ...done, paths })).committed;
  writeFileSync(join(root, 'state.json'), JSON.stringify({ paths, request, ...ROUND, commit, base, added }));
  const saved = [home, repository].map((folder, at) => ({ folder, copy: join(root, `saved-${at}`) }));
  for (const { folder, copy } of saved) execFileSync('cp', ['-a', folder, copy]);

  return {
    run(killAt = 0, when = 'before') {
      const args = [FIXTURE, build, phase, join(root, 'state.json'), String(killAt), when];
      const { stdout, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
      if (signal === 'SIGKILL') return null;
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout);
    },
    restore() {
      for (const { folder, copy } of saved) {
        rmSync(folder, { recursive: true });
        execFileSync('cp', ['-a', copy, folder]);
      }
    },
    expectWhole: (result) => expectWhole({ phase, paths, request, result }),
  };
}

/** Let a run do a round, and ask for its successor. */
async function endRun({ paths, request }: { paths: RunPaths; request: RunRequest }) {
  await beginRound({ paths, round: 1, attempt: 1 });
  shell(paths.tree, 'echo before > before.txt');
  const { commit } = await commitWork({ paths, request, ...ROUND });
  await publish({ paths, request, commit });
  const previous = plainPrevious(request.runId, commit);
  return { paths: runPaths(paths.ralphHome, 'mend-2'), request: { ...request, runId: 'mend-2', previous } };
}

async function prepareRound(paths: RunPaths): Promise<void> {
  await beginRound({ paths, round: 1, attempt: 1 });
  shell(paths.tree, AGENT);
}

async function expectWhole(after: {
  phase: Phase;
  paths: RunPaths;
  request: RunRequest;
  result: unknown;
}): Promise<void> {
  const { phase, paths, request, result } = after;
  const repository = request.repository.path;
  const { runId } = request;
  if (phase === 'createWorkspace' || phase === 'createSuccessor') {
    expect(result).toEqual({ base: startCommit(request), ref: 'refs/heads/ralph/mend', notes: [] });
    await prepareRound(paths);
  }
  if (phase === 'beginRound') shell(paths.tree, AGENT);
  const done = await commitWork({ paths, request, ...ROUND });
  if (phase === 'checkpoint') expect(z.object({ checkpoint: Checkpoint }).parse(result).checkpoint).toEqual(done);
  const placed = await publish({ paths, request, commit: done.commit });
  expect(placed).toEqual({ ref: 'refs/heads/ralph/mend', note: null });
  expect(done.notes).toEqual([expect.stringContaining(`refs/ralph/${runId}/1.1/stash/0`)]);
  expect(done.changes).toEqual({ files: 2, insertions: 2, deletions: 0 });
  const log = userGit(repository, 'log', '--format=%s', 'ralph/mend').split('\n');
  const before = runId === 'mend' ? [] : ['Round 1 of mend: Did it.'];
  expect(log).toEqual([`Round 1 of ${runId}: Did it.`, 'My own', ...before, 'first']);

  await beginRound({ paths, round: 2, attempt: 1 });
  expect(
    shell(paths.tree, 'git status --porcelain; git fsck --no-progress --no-dangling; git log --oneline | wc -l'),
  ).toBe(String(log.length));
  shell(paths.tree, 'echo more > more.txt');
  const next = await commitWork({ paths, request, ...ROUND, round: 2 });
  expect(next).toMatchObject({ base: done.commit, notes: [], changes: { files: 1, insertions: 1, deletions: 0 } });
  await publish({ paths, request, commit: next.commit });
  userGit(repository, 'fsck', '--strict');
  userGit(paths.repository, 'fsck', '--strict');
  expect(shell(paths.scratch, 'ls')).toBe('');
}
