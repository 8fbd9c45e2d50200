import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What the engine may add to a user's repository: objects, and its own refs with their logs. */
const OURS = /^\.git\/(objects|refs\/heads\/ralph|refs\/ralph|logs\/refs\/heads\/ralph)(\/|$)/;

/** Every file of a repository with its mode and bytes, and the index with its time; but for what is the engine's. */
export function fingerprint(repository: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const walk = (name: string): void => {
    if (OURS.test(name)) return;
    // Names are taken as bytes, as some are no UTF-8.
    const path = Buffer.from(join(Buffer.from(repository).toString('latin1'), name), 'latin1');
    const stat = lstatSync(path);
    const mode = stat.mode.toString(8);
    if (stat.isDirectory()) {
      seen[name] = mode;
      for (const inner of readdirSync(path, { encoding: 'buffer' })) walk(join(name, inner.toString('latin1')));
      return;
    }
    const bytes = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
    seen[name] = `${mode} ${createHash('sha256').update(bytes).digest('hex')}`;
    if (name.endsWith('index')) seen[name] += ` ${stat.mtimeMs}`;
  };
  walk('');
  return seen;
}
