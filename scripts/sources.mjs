// What a build is made of.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');
/** File in dist/ with the hash of the sources that it was built from. */
export const STAMP = '.built-from';
/** Folders that are compiled. */
export const FOLDERS = [
  'schemas',
  'redaction',
  'workflows',
  'activities',
  'agents',
  'system',
  'workspaces',
  'worker',
  'host',
  'client',
  'cli',
  'page',
];
/** Files that are copied as they are. */
export const ASSETS = ['.sh', '.pl', '.json', '.mjs'];
const BESIDE = [
  'temporal.config.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/bundle-page.mjs',
];

export function sourcesHash() {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...BESIDE, ...FOLDERS.flatMap(filesIn)]) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  if (!existsSync(path.join(ROOT, folder))) return [];
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .toSorted();
}
