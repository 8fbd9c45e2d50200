import { existsSync } from 'node:fs';

/** Whether a file is there to be seen. One that is hidden counts as absent: either way there is nothing to read. */
export function exists(file: string): Promise<boolean> {
  return Promise.resolve(existsSync(file));
}
