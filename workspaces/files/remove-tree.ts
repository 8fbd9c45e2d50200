import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { errorCode } from '../../system/error-code.ts';
import { removeUnlocking } from '../../system/remove-unlocking.ts';
import { clearImmutable } from './clear-immutable.ts';

/** `removeUnlocking`, also of what an agent made immutable (`chattr +i`). */
export async function removeTree(target: string): Promise<void> {
  try {
    await removeUnlocking(target);
  } catch (error) {
    if (errorCode(error) !== 'EPERM' || !(await clearImmutable(target))) throw error;
    await removeUnlocking(target);
  }
}

/** Clear a path: what cannot be removed is moved aside, and stays on the disk. */
export async function clearPlace(target: string): Promise<void> {
  await removeTree(target).catch(async (error: unknown) => {
    await rename(target, `${target}.left-${randomBytes(6).toString('hex')}`).catch(() => {
      throw error;
    });
  });
}
