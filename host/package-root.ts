import { existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ralphError } from '../schemas/errors/index.ts';
import { hasCode } from '../system/error-code.ts';

/** The folder of this package, whether this file runs from dist/ or, in tests, as source. */
function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}

/** Version of this package. */
export async function packageVersion(): Promise<string> {
  const text = await readFile(path.join(packageRoot(), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The worker's program, as built. Throws RalphError where it is not. */
export const workerEntry = (): Promise<string> => built('worker', 'main.js');

/** The program of the page that shows runs. Throws RalphError where it is not built. */
export const pageEntry = (): Promise<string> => built('page', 'server', 'main.js');

/** The folder of what a browser loads of that page. Throws RalphError where it is not built. */
export const pageAssets = (): Promise<string> => built('page-app');

/** The thread that searches runs, as built. Throws RalphError where it is not. */
export const searchThreadEntry = (): Promise<string> => built('bundle', 'search-thread.js');

async function built(...names: readonly string[]): Promise<string> {
  const file = path.join(packageRoot(), 'dist', ...names);
  try {
    await access(file);
    return file;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw ralphError('not-built', { file });
    throw error;
  }
}
