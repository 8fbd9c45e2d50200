import { readdir, readFile } from 'node:fs/promises';

/** Processes of this machine that have the tag among their arguments. */
export async function tagged(tag: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return all.filter((text) => text.split('\0').includes(tag));
}
