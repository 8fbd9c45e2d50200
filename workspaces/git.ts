import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ralphError } from '../schemas/errors/index.ts';
import { saysDiskFull } from './disk-full.ts';
import { engineEnvironment, gitSettings, userConfigEnvironment } from './git-environment.ts';

/** Whose name stands in commits and reflogs. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** One git command. git never looks for a repository by itself: `gitDir` is always given. */
export interface GitCall {
  readonly gitDir: string;
  readonly args: readonly string[];
  readonly workTree?: string;
  /** Index file in place of the repository's own. */
  readonly index?: string;
  /** A further object folder to read from, and whatever that one borrows from. */
  readonly alsoObjects?: string;
  readonly identity?: Identity;
  readonly stdin?: { readonly text: string | Buffer } | { readonly file: string };
  /** Write stdout there instead of returning it. */
  readonly stdoutFile?: string;
  /** Exit codes that are answers, not failures. 0 always is. */
  readonly okCodes?: readonly number[];
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** `user`: read the user's configuration files as well. For `git config` alone. */
  readonly configuration?: 'user';
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A git command that failed in a way nobody expected. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly stderr: string;

  constructor(command: string, code: number | string, stderr: string) {
    super(`git ${command} ended with ${code}: ${stderr.trim() === '' ? 'it said nothing' : stderr.trim()}`);
    this.stderr = stderr;
  }
}

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 64 * 1024;

/** How many git processes were started so far; for tests and the benchmark. */
export const gitCount = { spawned: 0 };

/**
 * Run git with an environment, a configuration and a repository that no agent can write.
 * Bounded in time and in output: beyond, git and its children are killed and a RalphError thrown.
 * Throws RalphError `disk-full` where git says so, and GitError for any other exit code outside `okCodes`.
 */
export async function git(call: GitCall): Promise<GitOutput> {
  const files: FileHandle[] = [];
  try {
    const stdin = call.stdin !== undefined && 'file' in call.stdin ? await open(call.stdin.file, 'r') : null;
    if (stdin !== null) files.push(stdin);
    const stdout = call.stdoutFile === undefined ? null : await open(call.stdoutFile, 'w', 0o600);
    if (stdout !== null) files.push(stdout);
    return await run(call, { stdin: stdin?.fd, stdout: stdout?.fd });
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

/** `git`, with what it prints as text without the last line feed. */
export async function gitText(call: GitCall): Promise<string> {
  return (await git(call)).stdout.toString('utf8').replace(/\n$/, '');
}

function environmentOf(call: GitCall): Record<string, string> {
  const env = call.configuration === 'user' ? userConfigEnvironment() : engineEnvironment();
  env['GIT_DIR'] = call.gitDir;
  if (call.workTree !== undefined) env['GIT_WORK_TREE'] = call.workTree;
  if (call.index !== undefined) env['GIT_INDEX_FILE'] = call.index;
  if (call.alsoObjects !== undefined) env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = JSON.stringify(call.alsoObjects);
  if (call.identity !== undefined) {
    env['GIT_AUTHOR_NAME'] = env['GIT_COMMITTER_NAME'] = call.identity.name;
    env['GIT_AUTHOR_EMAIL'] = env['GIT_COMMITTER_EMAIL'] = call.identity.email;
  }
  return env;
}

/** ENOENT means that git is missing, or that its current folder is. */
function startFault(error: NodeJS.ErrnoException, gitDir: string): Error {
  if (error.code !== 'ENOENT') return error;
  return existsSync(gitDir) ? ralphError('git-missing', {}) : ralphError('workspace-missing', { path: gitDir });
}

function run(call: GitCall, files: { stdin: number | undefined; stdout: number | undefined }): Promise<GitOutput> {
  const command = call.args[0] ?? '';
  const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
  const limit = call.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const text = call.stdin !== undefined && 'text' in call.stdin ? call.stdin.text : null;
  return new Promise((resolve, reject) => {
    gitCount.spawned += 1;
    const settings = call.configuration === 'user' ? [] : gitSettings;
    const child = spawn('git', ['--no-pager', ...settings, ...call.args], {
      cwd: call.gitDir,
      env: environmentOf(call),
      // A process group of its own, so that what git starts is killed with it.
      detached: true,
      stdio: [files.stdin ?? (text === null ? 'ignore' : 'pipe'), files.stdout ?? 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    let outBytes = 0;
    let stderr = '';
    let killedFor: Error | null = null;
    const kill = (why: Error): void => {
      killedFor ??= why;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // ESRCH alone: the group is gone already.
      }
    };
    const seconds = Math.round(timeoutMs / 1000);
    const timer = setTimeout(() => kill(ralphError('git-timed-out', { command, seconds })), timeoutMs);
    child.stdout?.on('data', (chunk: Buffer) => {
      outBytes += chunk.length;
      if (outBytes > limit) kill(ralphError('git-output-too-large', { command, limit }));
      else out.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (stderr.length < MAX_STDERR_BYTES) stderr += chunk.toString('utf8');
    });
    // EPIPE: git ended without reading all; its exit code and stderr tell why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text ?? '');
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(startFault(error, call.gitDir));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (killedFor !== null) return reject(killedFor);
      if (code === 0 || (code !== null && call.okCodes?.includes(code) === true)) {
        return resolve({ code, stdout: Buffer.concat(out), stderr });
      }
      if (saysDiskFull(stderr)) return reject(ralphError('disk-full', { what: `git ${command} failed` }));
      return reject(new GitError(command, code ?? signal ?? 'an unknown end', stderr));
    });
  });
}
