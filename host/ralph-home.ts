import { mkdir, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errnoText } from '../schemas/errors/errno-text.ts';
import { ralphError } from '../schemas/errors/index.ts';
import type { Environment } from './environment.ts';
import { hasCode } from '../system/error-code.ts';

/**
 * The folder that holds everything of this engine's on this machine, made if missing: $RALPH_HOME, else
 * $XDG_STATE_HOME/ralph, else ~/.local/state/ralph. Its real path: no symlink is left in it. Throws RalphError where
 * it is under a temp folder, somebody else's, or open to others.
 */
export async function resolveRalphHome(env: Environment): Promise<string> {
  const wanted = wantedHome(env);
  if (!path.isAbsolute(wanted)) throw ralphError('home-not-absolute', { home: wanted });
  await rejectTemp(await realOr(wanted), env);
  const home = await makeHome(wanted);
  const { uid, mode } = await stat(home);
  const me = process.geteuid?.();
  if (me !== undefined && uid !== me) throw ralphError('home-not-yours', { home, owner: uid, uid: me });
  if ((mode & 0o077) !== 0) {
    throw ralphError('home-not-private', { home, mode: (mode & 0o7777).toString(8).padStart(4, '0') });
  }
  return home;
}

function wantedHome({ RALPH_HOME, XDG_STATE_HOME, HOME }: Environment): string {
  if (RALPH_HOME !== undefined && RALPH_HOME !== '') return RALPH_HOME;
  // The XDG specification has relative paths ignored.
  if (XDG_STATE_HOME !== undefined && path.isAbsolute(XDG_STATE_HOME)) return path.join(XDG_STATE_HOME, 'ralph');
  return path.join(HOME === undefined || HOME === '' ? os.homedir() : HOME, '.local', 'state', 'ralph');
}

async function makeHome(wanted: string): Promise<string> {
  try {
    await makeFolder(wanted);
    return await realpath(wanted);
  } catch (error) {
    throw ralphError('home-unusable', { home: wanted, cause: errnoText(error) }, { cause: error });
  }
}

/** Node's own `recursive` never ends where a folder cannot be made in one that is there, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const known = await stat(folder).catch(() => null);
    if (known?.isDirectory() === true) return;
    if (!hasCode(error, 'ENOENT') || folder === path.dirname(folder)) throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

async function rejectTemp(home: string, env: Environment): Promise<void> {
  for (const temp of ['/tmp', '/var/tmp', '/dev/shm', os.tmpdir(), env['TMPDIR']]) {
    if (temp === undefined || temp === '') continue;
    const within = path.relative(await realOr(temp), home);
    if (!(within.startsWith('..') || path.isAbsolute(within))) throw ralphError('home-in-temp', { home, temp });
  }
}

/** The real path, of which the last parts need not exist yet. */
async function realOr(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) return path.resolve(file);
    return path.join(await realOr(path.dirname(path.resolve(file))), path.basename(file));
  }
}
