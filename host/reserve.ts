import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../system/error-code.ts';
import { homePaths } from './home-paths.ts';

/** Room for a cancel: Temporal's database has to take it, and its receipt and the last checkpoint are written. */
export const RESERVE_BYTES = 16 * 1024 * 1024;
/** As many, as a disk can run out of files as well. */
const FILES = 64;
const FILE_BYTES = RESERVE_BYTES / FILES;
/** A disk on which this much cannot be written is full. */
const PROBE_BYTES = 1024 * 1024;
const AGAIN_MS = 60_000;

/** Hold the reserve of a RALPH_HOME: take it now, and again some time after it was released, while there is room. */
export async function keepReserve(ralphHome: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await takeReserve(ralphHome);
    // Aborted: the loop ends.
    await delay(AGAIN_MS, null, { signal, ref: false }).catch(() => undefined);
  }
}

/** Take the reserve, unless it is there, or there is no room for it and as much again. */
export async function takeReserve(ralphHome: string): Promise<void> {
  const { reserve } = homePaths(ralphHome);
  if (existsSync(reserve)) return;
  const draft = `${reserve}.new`;
  await rm(draft, { recursive: true, force: true });
  const { bavail, bsize } = await statfs(ralphHome);
  if (bavail * bsize < RESERVE_BYTES * 2) return;
  try {
    await mkdir(draft, { mode: 0o700 });
    // Random, as some file systems store zeros in no room at all.
    for (let i = 0; i < FILES; i += 1) {
      await writeFile(path.join(draft, String(i)), randomBytes(FILE_BYTES), { mode: 0o600 });
    }
    await rename(draft, reserve);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!isFull(error)) throw error;
  }
}

/** Release the reserve if the disk is full: of bytes, of files, or by a quota. @returns whether it did */
export async function releaseReserve(ralphHome: string): Promise<boolean> {
  const { reserve } = homePaths(ralphHome);
  if (!existsSync(reserve) || !(await isDiskFull(ralphHome))) return false;
  await rm(reserve, { recursive: true, force: true });
  return true;
}

/** Asked by writing: no figure of the system's knows of every quota. */
async function isDiskFull(ralphHome: string): Promise<boolean> {
  const probe = path.join(ralphHome, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(probe, randomBytes(PROBE_BYTES), { mode: 0o600 });
    return false;
  } catch (error) {
    if (isFull(error)) return true;
    throw error;
  } finally {
    await rm(probe, { force: true });
  }
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
