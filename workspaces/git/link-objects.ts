import { randomBytes } from 'node:crypto';
import { constants, linkSync, mkdirSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorCode } from '../../system/error-code.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { listIfAny } from '../files/list-if-any.ts';
import { looseFile } from './loose-objects.ts';

const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
const LOOSE_OBJECT = /^[0-9a-f]{38}$/;
const PACK_FILE = /^pack-[0-9a-f]{40}\.(pack|rev|idx)$/;
const AT_ONCE = 32;
const MOST_PASSES = 5;

/**
 * Give `to` every object that `from` has or borrows (alternates), by hard links where the file system allows it, else by
 * copies: a repository of its own, which a garbage collection of the other one cannot break. Objects never change, so
 * the links share nothing that could.
 */
export async function linkObjects({ from, to }: { from: string; to: string }): Promise<void> {
  for (const folder of withAlternates(from)) {
    await linkLoose(folder, to);
    await linkPacks(join(folder, 'pack'), join(to, 'pack'));
  }
}

/**
 * Give `to` some objects that are loose in `from`, by hard links or flushed copies. False if one of them is not loose
 * there; the others are given nevertheless.
 */
export async function linkLooseObjects({
  from,
  to,
  oids,
}: {
  from: string;
  to: string;
  oids: readonly string[];
}): Promise<boolean> {
  const given = await inBatches(oids, async (oid) => {
    const [source, target] = [looseFile(from, oid), looseFile(to, oid)];
    mkdirSync(dirname(target), { recursive: true });
    return linkOrCopy(source, target, copyWhole);
  });
  return given.every(Boolean);
}

/** A git that looks at the target meanwhile finds all of it or nothing, and so does whoever comes after a power cut. */
async function copyWhole(from: string, to: string): Promise<void> {
  const draft = join(dirname(to), `tmp_obj_${randomBytes(6).toString('hex')}`);
  try {
    await copyFile(from, draft, constants.COPYFILE_FICLONE);
    const handle = await open(draft);
    await handle.sync().finally(() => handle.close());
    await rename(draft, to);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function withAlternates(objects: string): string[] {
  const found = [objects];
  for (const folder of found) {
    const text = readTextIfAny(join(folder, 'info', 'alternates')) ?? '';
    for (const line of text.split('\n').filter((entry) => entry !== '' && !entry.startsWith('#'))) {
      const other = resolve(folder, line.startsWith('"') ? JSON.parse(line) : line);
      if (!found.includes(other)) found.push(other);
    }
  }
  return found;
}

/** Loose objects first: one that is packed and pruned meanwhile is then in a pack that is listed later. */
async function linkLoose(from: string, to: string): Promise<void> {
  const folders = (await readdir(from)).filter((name) => LOOSE_FOLDER.test(name));
  for (const name of folders) {
    // A repository may have hundreds of thousands of loose objects: others get their turn.
    await setImmediate();
    const files = listIfAny(join(from, name)).filter((file) => LOOSE_OBJECT.test(file));
    if (files.length > 0) await mkdir(join(to, name), { recursive: true });
    await inBatches(files, (file) => linkOrCopy(join(from, name, file), join(to, name, file)));
  }
}

/** A repack may replace packs while they are linked: list them again until none vanished. */
async function linkPacks(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    const files = listIfAny(from).filter((file) => PACK_FILE.test(file));
    const linked = await inBatches(files, (file) => linkOrCopy(join(from, file), join(to, file)));
    if (linked.every(Boolean)) return;
  }
  throw new Error(`the packs in ${from} kept changing while they were linked`);
}

/** False where the file is no longer there. */
async function linkOrCopy(
  from: string,
  to: string,
  copy: (from: string, to: string) => Promise<void> = (source, target) =>
    copyFile(source, target, constants.COPYFILE_FICLONE),
): Promise<boolean> {
  try {
    try {
      linkSync(from, to);
    } catch (error) {
      // Another file system, a foreign owner, or too many links.
      if (!['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP'].includes(errorCode(error))) throw error;
      await copy(from, to);
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return true;
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map((item) => work(item)))));
  }
  return done;
}
