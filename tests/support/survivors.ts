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
    return state(name) === 'Z' ? [] : [`${name} ${command.replaceAll('\0', ' ').trim()}`];
  });
}

/** R, S, T, Z …; empty where the process is gone. */
export function state(pid: number | string): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process ended meanwhile, or is another user's.
    return '';
  }
}
