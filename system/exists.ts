import { access } from 'node:fs/promises';

/** Whether a file is there to be seen. One that is hidden counts as absent: either way there is nothing to read. */
export async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Not there, or not to be seen by this user.
    return false;
  }
}
