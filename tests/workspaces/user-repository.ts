import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RunRequest } from '../../schemas/run/run.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { checkpoint, type CheckpointStatus, type MadeCheckpoint } from '../../workspaces/round/checkpoint.ts';
import { listNewObjects } from '../../workspaces/round/new-objects.ts';
import { publishBranch, type Placement } from '../../workspaces/round/publish-branch.ts';
import { createWorkspace } from '../../workspaces/repository/create-workspace.ts';
import { inspectRepository } from '../../workspaces/repository/inspect-repository.ts';
import { runPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import type { Checkpoint } from '../../schemas/round/round.ts';

const folders: string[] = [];

/** A new folder below the system's temporary one, removed after the test file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-workspaces-')));
  folders.push(folder);
  return folder;
}

/** Also what an agent froze or locked. */
const REMOVE =
  'rm -rf "$0" 2>/dev/null || { chattr -R -f -ia "$0" 2>/dev/null; chmod -R u+rwX "$0" 2>/dev/null; rm -rf "$0"; }';

export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) {
    // Not by Node, whose paths end at the system's limit.
    execFileSync('sh', ['-c', REMOVE, folder], { stdio: 'pipe' });
  }
}

const GIT_ENV = {
  PATH: process.env['PATH'],
  HOME: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C',
};

/** A user's (or an agent's) own git in a folder. */
export function userGit(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: GIT_ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** What a shell makes of a script in a folder: an agent of a few lines. */
export function shell(folder: string, script: string): string {
  return execFileSync('bash', ['--norc', '-euc', script], {
    cwd: folder,
    env: GIT_ENV,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

/** As `shell`, whatever the exit code. After some seconds it is ended, with all that it started. */
export function tryShell(folder: string, script: string, seconds = 10): void {
  const bounded = ['-k', '1', String(seconds), 'bash', '--norc', '-c', script];
  spawnSync('timeout', bounded, { cwd: folder, env: GIT_ENV, stdio: 'ignore' });
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A repository with one commit on `main`. */
export function userRepository(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  userGit(folder, 'init', '-q', '-b', 'main');
  userGit(folder, 'config', 'gc.auto', '0');
  userGit(folder, 'config', 'user.name', 'Ada');
  userGit(folder, 'config', 'user.email', 'ada@example.org');
  writeFiles(folder, files);
  userGit(folder, 'add', '-A');
  userGit(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

export interface TestRun {
  readonly paths: RunPaths;
  readonly request: RunRequest;
  /** Begin a round, let a script be its agent, and commit what it left. */
  readonly round: (
    script: string,
    how?: Partial<{ round: number; attempt: number; status: CheckpointStatus; summary: string }>,
  ) => Promise<Checkpoint>;
}

export async function requestFor(repository: string, runId: string, ref = 'HEAD'): Promise<RunRequest> {
  const { path, commit, ignore } = await inspectRepository({ path: repository, ref });
  const objective = 'Mend it.';
  return RunRequest.parse({
    runId,
    objective,
    objectiveHash: createHash('sha256').update(objective).digest('hex'),
    repository: { path, ref, commit },
    agent: { provider: 'command', command: 'true', model: null },
    sandbox: { level: 'workspace-write', network: true, readable: [] },
    setup: null,
    ignore,
    limits: {},
    identity: { name: 'Ada "the" Count\\ess', email: 'ada@example.org' },
    hostId: 'abcdefgh12345678',
    requestedAt: new Date().toISOString(),
  });
}

/** A run with its workspace made. */
export async function startRun(repository: string, runId = 'mend'): Promise<TestRun> {
  const request = await requestFor(repository, runId);
  const paths = runPaths(temporaryFolder(), runId);
  await createWorkspace({ paths, request });
  let last = 0;
  return {
    paths,
    request,
    round: async (script, how = {}) => {
      const { round = last + 1, attempt = 1, status = 'continue', summary = 'Did a little.' } = how;
      last = round;
      await beginRound({ paths, round, attempt });
      shell(paths.tree, script);
      return commitWork({ paths, request, round, attempt, status, summary });
    },
  };
}

const made = new Map<string, MadeCheckpoint>();

/** A checkpoint of which nothing is secret. What `publish` asks of it is remembered. */
export async function commitWork(asked: Omit<Parameters<typeof checkpoint>[0], 'redact'>): Promise<Checkpoint> {
  const done = await checkpoint({ ...asked, redact: (text) => text });
  made.set(done.checkpoint.commit, done);
  return done.checkpoint;
}

/** What a checkpoint that was made here says of itself. */
export function madeOf(commit: string): MadeCheckpoint {
  const known = made.get(commit);
  if (known === undefined) throw new Error(`${commit} is no checkpoint of this test`);
  return known;
}

/** Show a checkpoint in the user's repository, as the engine does after a round. */
export async function publish({
  paths,
  request,
  commit,
}: {
  paths: RunPaths;
  request: RunRequest;
  commit: string;
}): Promise<Placement> {
  const known = made.get(commit);
  if (known === undefined) return publishBranch({ paths, request, commit, base: commit, added: null });
  const { base } = known.checkpoint;
  const { committed } = await listNewObjects({ ...known, paths, base, commit });
  return publishBranch({ paths, request, commit, base, added: committed });
}
