import { chmod, mkdir, rm } from 'node:fs/promises';
import { errorCode } from '../../system/error-code.ts';
import { clearImmutable } from './clear-immutable.ts';
import { fileKind } from './file-kind.ts';

/** Make sure that a folder is there and its owner may enter it: an agent may have put a link in place of its own tree. */
export async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    if (fileKind(folder) === 'folder') return openFolder(folder);
    await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  });
}

async function openFolder(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(async (error: unknown) => {
    if (errorCode(error) !== 'EPERM' || !(await clearImmutable(folder))) throw error;
    await chmod(folder, 0o700);
  });
}
