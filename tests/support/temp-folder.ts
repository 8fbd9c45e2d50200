import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(process.cwd(), '.cache', 'tests');

/** A folder for one test, removed when the test file is done. Not below the temp folder, which sandboxes replace. */
export function tempFolder(name: string): string {
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(path.join(root, `${name}-`));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
