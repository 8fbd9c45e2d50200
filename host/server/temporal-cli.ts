import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Environment } from '../environment.ts';
import { homePaths } from '../home-paths.ts';
import { installTemporalCli, TEMPORAL_VERSION } from './install-temporal-cli.ts';
import { messageOf } from '../../system/error-code.ts';
import { allOnPath, isExecutable } from '../../system/processes/on-path.ts';

const run = promisify(execFile);

/** Of the command line: older ones lack options that the server is started with. */
const MINIMUM = [1, 9] as const;

/**
 * Path of the Temporal command line: TEMPORAL_CLI, else `temporal` on PATH, else $RALPH_HOME/tools, else it is installed
 * into the latter. Several callers at once do no harm. Throws RalphError.
 */
export async function ensureTemporalCli(how: {
  ralphHome: string;
  env: Environment;
  onNote: (note: string) => void;
}): Promise<string> {
  const named = how.env['TEMPORAL_CLI'];
  if (named !== undefined && named !== '') {
    const cause = await problemOf(named);
    if (cause !== null) throw ralphError('temporal-cli-unusable', { file: named, cause });
    return named;
  }
  const kept = path.join(homePaths(how.ralphHome).tools, `temporal-${TEMPORAL_VERSION}`, 'temporal');
  for (const file of [...allOnPath('temporal', how.env['PATH']), kept].filter(isExecutable)) {
    const cause = await problemOf(file);
    if (cause === null) return file;
    how.onNote(`Skipping ${file}: ${cause}.`);
  }
  await installTemporalCli({ ...how, target: kept });
  const cause = await problemOf(kept);
  if (cause !== null) {
    throw ralphError('temporal-cli-missing', { version: TEMPORAL_VERSION, tried: `what was installed: ${cause}` });
  }
  return kept;
}

/** Why the file is not a Temporal command line that works here; null where it is. */
async function problemOf(file: string): Promise<string | null> {
  try {
    const { stdout } = await run(file, ['--version'], { timeout: 20_000, env: {} });
    const version = /^temporal version (\d+)\.(\d+)/.exec(stdout);
    if (version === null) return `"--version" says "${stdout.slice(0, 80).trim()}"`;
    const [, major, minor] = version.map(Number);
    return isOld(Number(major), Number(minor))
      ? `it is ${major}.${minor}, and at least ${MINIMUM.join('.')} is needed`
      : null;
  } catch (error) {
    return messageOf(error).trim();
  }
}

const isOld = (major: number, minor: number): boolean =>
  major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1]);
