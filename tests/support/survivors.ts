import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processes that have `text` in their command line or environment, as "pid command", by the kernel's process table
 * alone: the engine's own bookkeeping is not asked. Processes of other users show their command line only.
 */
export function survivors(text: string): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    const command = read(`/proc/${name}/cmdline`);
    if (!command.includes(text) && !read(`/proc/${name}/environ`).includes(text)) return [];
    return hasEnded(name) ? [] : [`${name} ${command.replaceAll('\0', ' ').trim()}`];
  });
}

/** Whether a process is gone, but for its parent's taking note of it. */
export function hasEnded(pid: number | string): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || stat.charAt(stat.lastIndexOf(')') + 2) === 'Z';
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process ended meanwhile, or is another user's.
    return '';
  }
}
