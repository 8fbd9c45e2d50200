import { simpleGit } from 'simple-git';
import { ralphError } from '../../schemas/errors/index.ts';
import { engineEnvironment, gitSettings, userConfigEnvironment } from './git-environment.ts';
import { GitError } from './git.ts';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * simple-git refuses these unless it is told that they are meant. Here they are what keeps a repository from running
 * anything: each of our settings turns one of its commands off.
 */
const unsafe = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeAskPass: true,
  allowUnsafeSshCommand: true,
  allowUnsafeAlternateRefsCommand: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeEditor: true,
  allowUnsafePager: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeGitDir: true,
} as const;

/**
 * Ask a repository something, for people: what git prints, as text. For the questions of a launch and of `ralph diff`;
 * what feeds git or writes goes through `git`, as simple-git has no standard input for it.
 * Throws GitError for any exit code but 0 and `noMatchCode`, RalphError `git-timed-out`, `git-output-too-large`.
 */
export async function readGit(call: {
  gitDir: string;
  args: readonly string[];
  /** An exit code that says that there is nothing to print. */
  noMatchCode?: number;
  /** `user`: read the user's configuration files as well. For `git config` alone. */
  configuration?: 'user';
}): Promise<string> {
  const { gitDir, args, noMatchCode, configuration } = call;
  const command = args[0] ?? '';
  const env = { ...(configuration === 'user' ? userConfigEnvironment() : engineEnvironment()), GIT_DIR: gitDir };
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort(ralphError('git-timed-out', { command, ms: TIMEOUT_MS }));
  }, TIMEOUT_MS);
  let failure: GitError | null = null;
  let bytes = 0;
  const client = simpleGit({
    baseDir: gitDir,
    unsafe,
    allowEnvironment: Object.keys(env),
    abort: stop.signal,
    // Its own rule lets an exit code pass where nothing was said on stderr.
    errors: (_error, { exitCode, stdErr }) => {
      if (exitCode === 0 || exitCode === noMatchCode) return undefined;
      failure = new GitError(command, exitCode, Buffer.concat(stdErr).toString('utf8'));
      return failure;
    },
  })
    .env(env)
    .outputHandler((_command, stdout) => {
      stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_OUTPUT_BYTES)
          stop.abort(ralphError('git-output-too-large', { command, limit: MAX_OUTPUT_BYTES }));
      });
    });
  try {
    return await client.raw([...(configuration === 'user' ? [] : gitSettings), ...args]);
  } catch (error) {
    stop.signal.throwIfAborted();
    // simple-git throws an error of its own that keeps the text alone.
    throw failure ?? error;
  } finally {
    clearTimeout(timer);
  }
}
