import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ralphError } from '../../schemas/errors/index.ts';
import type { AgentProvider, WorkerEnv } from '../provider.ts';
import { findProgram, type FoundProgram } from './find-program.ts';

const run = promisify(execFile);

/** The slowest of the programs needs 2 s of one processor. */
const ASK_MS = 15_000;
const MAX_ANSWER_BYTES = 65_536;
/** What starts a program may choose another version of it tomorrow, and is the same file. */
const VALID_MS = 3_600_000;

const known = new Map<string, { readonly at: number; readonly version: Promise<string | null> }>();

/**
 * The version that the program of a provider states, as "1.2.3"; null: it has none of its own, or states none. It is
 * asked once for each file, in an empty HOME, and bounded in time.
 * @throws RalphError where it is not found
 */
export async function programVersion(
  provider: AgentProvider,
  workerEnv: WorkerEnv,
  how: { alive: boolean } = { alive: true },
): Promise<string | null> {
  if (provider.program === null) return null;
  const found = await findProgram(provider, workerEnv, how);
  const identity = await identityOf(found);
  const before = known.get(identity);
  if (before !== undefined && performance.now() - before.at < VALID_MS) return await before.version;
  const version = ask(found, workerEnv);
  known.set(identity, { at: performance.now(), version });
  const stated = await version;
  // A busy machine may have kept it from answering.
  if (stated === null) known.delete(identity);
  return stated;
}

/** Which file is started: another one, or another content, has another identity. */
async function identityOf({ command }: FoundProgram): Promise<string> {
  const parts = await Promise.all(
    command
      .filter((part) => path.isAbsolute(part))
      .map(async (file) => {
        const { dev, ino, size, mtimeMs } = await stat(file);
        return [file, dev, ino, size, mtimeMs].join(' ');
      }),
  );
  return parts.join('\n');
}

async function ask(found: FoundProgram, workerEnv: WorkerEnv): Promise<string | null> {
  let home: string | null = null;
  try {
    home = await mkdtemp(path.join(tmpdir(), 'ralph-version-'));
    return versionIn(await answer(found, home, workerEnv));
  } catch {
    // It did not start, failed or did not end, or there is no room: its version is not known then. Its rounds tell more.
    return null;
  } finally {
    if (home !== null) await rm(home, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function answer({ command }: FoundProgram, home: string, { PATH }: WorkerEnv): Promise<string> {
  const [program, ...args] = command;
  if (program === undefined) throw new TypeError('a program is started by something');
  const asking = run(program, [...args, '--version'], {
    cwd: home,
    env: { HOME: home, ...(PATH === undefined ? {} : { PATH }), GEMINI_CLI_NO_RELAUNCH: 'true' },
    timeout: ASK_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_ANSWER_BYTES,
  });
  asking.child.stdin?.end();
  return (await asking).stdout;
}

const versionIn = (text: string): string | null =>
  /(?<![\d.])\d{1,6}\.\d{1,6}\.\d{1,9}(?![\d.])/.exec(text)?.[0] ?? null;

/** Whether a version is older than another one. */
export function isOlder(version: string, than: string): boolean {
  const numbers = version.split('.').map(Number);
  const others = than.split('.').map(Number);
  const at = others.findIndex((other, index) => numbers[index] !== other);
  return at !== -1 && (numbers[at] ?? 0) < (others[at] ?? 0);
}

/**
 * Reject a program that lacks what the provider needs. One whose version is not known is tried.
 * @returns its version @throws RalphError `agent-program-too-old`, and where it is not found
 */
export async function checkVersion(
  provider: AgentProvider,
  workerEnv: WorkerEnv,
  how: { alive: boolean },
): Promise<string | null> {
  const version = await programVersion(provider, workerEnv, how);
  const { program } = provider;
  if (program === null || version === null || !isOlder(version, program.leastVersion)) return version;
  const { name, leastVersion, testedVersion, install } = program;
  throw ralphError('agent-program-too-old', {
    provider: provider.name,
    program: name,
    version,
    least: leastVersion,
    install: `${install}@${testedVersion}`,
    ...how,
  });
}

/** Which version of its program an agent uses, for a person; null: it has no program of its own. */
export function versionText({ program }: AgentProvider, version: string | null): string | null {
  if (program === null) return null;
  const { name, testedVersion } = program;
  if (version === testedVersion) return `${name} ${version}`;
  if (version === null) return `${name}, whose version is unknown (this engine was tested with ${testedVersion})`;
  const how = isOlder(version, testedVersion) ? 'older' : 'newer';
  return `${name} ${version} (${how} than ${testedVersion}, which this engine was tested with)`;
}
