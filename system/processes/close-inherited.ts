import { closeSync, readdirSync, readFileSync } from 'node:fs';

let closed = false;

/** Every contained command is given these anew. 3 is the lock of a worker, which must stay open. */
const LAST_GIVEN = 4;

/**
 * Close what this process inherited, for example from the shell that it was started in: a secret, a folder, a file. Its
 * children would have it past every sandbox. What a process of ours opens itself is closed by the kernel when a child
 * starts (close-on-exec), and can be told apart by that. Only the first call does something. On other systems than Linux
 * nobody says which is which, and nothing is closed.
 */
export function closeInherited(): void {
  if (closed || process.platform !== 'linux') return;
  closed = true;
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > LAST_GIVEN && isInherited(fd)) closeSync(fd);
  }
}

const CLOSE_ON_EXEC = 0o2000000;

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The list's own descriptor, which is closed by now.
    return false;
  }
}
