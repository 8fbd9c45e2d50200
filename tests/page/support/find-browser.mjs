import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A Chromium on PATH, or the one that CHROMIUM names; null: there is none. */
export function findBrowser({ CHROMIUM, PATH = '' } = process.env) {
  if (CHROMIUM !== undefined && CHROMIUM !== '') return CHROMIUM;
  for (const folder of PATH.split(path.delimiter)) {
    for (const name of NAMES) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // It is not there, or cannot be run.
      }
    }
  }
  return null;
}
