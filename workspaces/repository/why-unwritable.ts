import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** Why a branch cannot be made in a user's repository, in the system's words; null: nothing is known against it. */
export async function whyUnwritable(commonDir: string): Promise<string | null> {
  for (const folder of [commonDir, join(commonDir, 'objects'), join(commonDir, 'refs')]) {
    try {
      await access(folder, constants.W_OK);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return null;
}
