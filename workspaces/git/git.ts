import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { ralphError, RalphError } from '../../schemas/errors/index.ts';
import { saysDiskFull } from '../../system/disk-full.ts';
import { errorCode } from '../../system/error-code.ts';
import { engineEnvironment, gitSettings } from './git-environment.ts';
import { runToEnd, type Command, type Owner } from './run-to-end.ts';

export type { Owner };

/** Whose name stands in commits and reflogs. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** What every git command is given. */
interface GitCommand {
  readonly args: readonly string[];
  readonly identity?: Identity;
  readonly stdin?: { readonly text: string | Buffer } | { readonly file: string };
  /** Exit codes that are answers, not failures. 0 always is. */
  readonly okCodes?: readonly number[];
  readonly timeoutMs?: number;
}

/** A command in a repository of ours. git never looks for a repository by itself: `gitDir` is always given. */
export interface EngineCall extends GitCommand {
  readonly gitDir: string;
  readonly workTree?: string;
  /** Index file in place of the repository's own. */
  readonly index?: string;
  /** A further object folder to read from, and whatever that one borrows from. */
  readonly alsoObjects?: string;
  /** Write stdout there instead of returning it. */
  readonly stdoutFile?: string;
  /** Let git write back into `index` what it found out about files that were touched and not changed. */
  readonly refreshIndex?: boolean;
  readonly maxOutputBytes?: number;
}

/** A user's own repository. */
export interface UserRepository {
  readonly gitDir: string;
  /** The user that git runs as, so that what it reads and writes is theirs; null: this one (see `ownerOf`). */
  readonly owner: Owner | null;
}

interface UserCall extends GitCommand {
  /** Names of hooks, defined by the repository's configuration, that must not run. */
  readonly hooksOff?: readonly string[];
}

/** What both kinds of a command come to. */
type GitCall = EngineCall & Pick<UserCall, 'hooksOff'> & Pick<UserRepository, 'owner'>;

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
 * Run git in a repository of ours, with an environment and a configuration that no agent can write.
 * Bounded in time and in output: beyond, git and its children are killed and a RalphError thrown.
 * Throws RalphError `disk-full` where git says so, and GitError for any other exit code outside `okCodes`.
 */
export async function engineGit(call: EngineCall): Promise<GitOutput> {
  if (call.stdoutFile !== undefined) await writeFile(call.stdoutFile, '', { mode: 0o600 });
  return run({ ...call, owner: null });
}

/** `engineGit`, with what it prints as text without the last line feed. */
export async function engineGitText(call: EngineCall): Promise<string> {
  return (await engineGit(call)).stdout.toString('utf8').replace(/\n$/, '');
}

/** Run git in a user's repository, as the user who owns it. Bounded and failing as `engineGit` does. */
export function userGit({ gitDir, owner }: UserRepository, call: UserCall): Promise<GitOutput> {
  return run({ ...call, gitDir, owner });
}

/** `gave-up`: git ended with an error. `timed-out`: it was killed because it took too long. */
export async function unlessStopped(output: Promise<GitOutput>): Promise<GitOutput | 'gave-up' | 'timed-out'> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError) return 'gave-up';
    if (error instanceof RalphError && error.code === 'git-timed-out') return 'timed-out';
    throw error;
  }
}

function environmentOf(call: GitCall): Record<string, string> {
  const env = engineEnvironment();
  env['GIT_DIR'] = call.gitDir;
  if (call.workTree !== undefined) env['GIT_WORK_TREE'] = call.workTree;
  if (call.index !== undefined) env['GIT_INDEX_FILE'] = call.index;
  if (call.refreshIndex === true) env['GIT_OPTIONAL_LOCKS'] = '1';
  if (call.alsoObjects !== undefined) env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = JSON.stringify(call.alsoObjects);
  if (call.identity !== undefined) {
    env['GIT_AUTHOR_NAME'] = env['GIT_COMMITTER_NAME'] = call.identity.name;
    env['GIT_AUTHOR_EMAIL'] = env['GIT_COMMITTER_EMAIL'] = call.identity.email;
  }
  if (call.hooksOff !== undefined) {
    env['GIT_CONFIG_COUNT'] = String(call.hooksOff.length);
    for (const [at, name] of call.hooksOff.entries()) {
      env[`GIT_CONFIG_KEY_${at}`] = `hook.${name}.enabled`;
      env[`GIT_CONFIG_VALUE_${at}`] = 'false';
    }
  }
  return env;
}

/** ENOENT means that git is missing, or that its current folder is. */
function startFault(error: unknown, { gitDir, args, owner }: GitCall): unknown {
  const code = errorCode(error);
  if (owner !== null && code !== 'ENOENT') {
    return new GitError(args[0] ?? '', code, `it could not be run as user ${owner.uid}`);
  }
  if (code !== 'ENOENT') return error;
  return existsSync(gitDir) ? ralphError('git-missing', {}) : ralphError('workspace-missing', { path: gitDir });
}

async function run(call: GitCall): Promise<GitOutput> {
  const command = call.args[0] ?? '';
  const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
  const limit = call.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const out: Buffer[] = [];
  let outBytes = 0;
  let stderr = '';
  const kill = new AbortController();
  const timer = setTimeout(() => kill.abort(ralphError('git-timed-out', { command, ms: timeoutMs })), timeoutMs);
  gitCount.spawned += 1;
  const { code, signal } = await runToEnd({
    argv: ['git', '--no-pager', ...gitSettings, ...call.args],
    cwd: call.gitDir,
    as: call.owner,
    env: environmentOf(call),
    stdin: stdinOf(call),
    stdoutFile: call.stdoutFile ?? null,
    onStdout: (chunk) => {
      outBytes += chunk.length;
      if (outBytes > limit) kill.abort(ralphError('git-output-too-large', { command, limit }));
      else out.push(chunk);
    },
    onStderr: (chunk) => {
      if (stderr.length < MAX_STDERR_BYTES) stderr += chunk.toString('utf8');
    },
    signal: kill.signal,
  })
    .catch((error: unknown) => {
      throw startFault(error, call);
    })
    .finally(() => clearTimeout(timer));
  kill.signal.throwIfAborted();
  if (code === 0 || (code !== null && call.okCodes?.includes(code) === true)) {
    return { code, stdout: Buffer.concat(out), stderr };
  }
  if (saysDiskFull(stderr)) throw ralphError('disk-full', { what: `git ${command} failed` });
  throw new GitError(command, code ?? signal ?? 'an unknown end', stderr);
}

function stdinOf({ stdin }: GitCall): Command['stdin'] {
  if (stdin === undefined) return { bytes: Buffer.alloc(0) };
  return 'file' in stdin ? stdin : { bytes: Buffer.from(stdin.text) };
}
