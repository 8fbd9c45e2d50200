import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/** What a sandbox's flags depend on beside the request, so that they can be looked at without being that machine. */
export interface SandboxHost {
  readonly root: boolean;
  /** Home folders to hide. */
  readonly homes: readonly string[];
  readonly workerEnv: Readonly<Record<string, string | undefined>>;
}

export function thisSandboxHost(): SandboxHost {
  const root = process.geteuid?.() === 0;
  const own = [homedir(), passwdHome()].flatMap((home) => (home === null ? [] : [home]));
  const homes = new Set([...own, ...(root ? homesOfPeople() : [])].map(real));
  return { root, homes: [...homes].filter(canHide), workerEnv: process.env };
}

/** A service user's home may be `/` or a system folder: hiding that would hide the machine. */
function canHide(home: string): boolean {
  const system = ['/', '/usr', '/bin', '/sbin', '/lib', '/etc', '/var', '/dev', '/proc', '/home', '/opt'];
  return isFolder(home) && !system.includes(home) && !home.startsWith('/proc/') && !home.startsWith('/dev/');
}

function passwdHome(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    // A uid without an entry in the user database has no home there.
    return null;
  }
}

/** Uids of people, as Linux systems give them out; those below and above are of services. */
const PEOPLE = { first: 1_000, last: 59_999 };

/** Root may read them all. */
function homesOfPeople(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, , uid, , , home] = line.split(':');
        const isPerson = Number(uid) >= PEOPLE.first && Number(uid) <= PEOPLE.last;
        return isPerson && home !== undefined && home.startsWith('/') ? [home] : [];
      });
  } catch {
    // No such file: no users but root.
    return [];
  }
}

/** Without symbolic links; the path itself where it does not exist. */
export function real(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return path.resolve(place);
  }
}

export function isFolder(place: string): boolean {
  try {
    return lstatSync(place).isDirectory();
  } catch {
    // Not there: there is nothing to hide.
    return false;
  }
}
