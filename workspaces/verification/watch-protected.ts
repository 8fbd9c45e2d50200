import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { engineGit } from '../git/git.ts';
import { isCaseFolded, protectedPathspecs } from '../git/protected-pathspecs.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** A file as it was checked out. */
interface Print {
  readonly name: Buffer;
  readonly stat: BigIntStats;
  readonly content: string;
}

/**
 * Remember the files of a new clean checkout that a run protects. Called before anything runs in it.
 * @returns asks, when nothing runs in it, which of them hold something else by now or are gone; what was added is not seen
 */
export async function watchProtected(paths: RunPaths, globs: readonly string[]): Promise<() => Promise<string[]>> {
  const prints: Print[] = [];
  for (const name of await namesOf(paths, globs)) {
    const stat = await lstat(fileOf(paths, name), { bigint: true });
    const content = await contentOf(fileOf(paths, name), stat);
    // What is below a submodule's folder is not the commit's.
    if (content !== null) prints.push({ name, stat, content });
  }
  return async () => {
    const changed: string[] = [];
    for (const print of prints) {
      if (!(await isAsItWas(fileOf(paths, print.name), print))) changed.push(print.name.toString('utf8'));
    }
    return changed;
  };
}

async function namesOf(paths: RunPaths, globs: readonly string[]): Promise<Buffer[]> {
  if (globs.length === 0) return [];
  const pathspecs = protectedPathspecs(globs, { foldsCase: isCaseFolded(paths.repository) });
  const index = join(paths.check, '.git', 'index');
  const { stdout } = await engineGit({ gitDir: paths.repository, index, args: ['ls-files', '-z', '--', ...pathspecs] });
  const names = stdout.toString('latin1').split('\0');
  return names.filter((name) => name !== '').map((name) => Buffer.from(name, 'latin1'));
}

const fileOf = ({ check }: RunPaths, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${check}/`), name]);

/** Nobody can set a change time, so a file that still has its own need not be read. */
async function isAsItWas(file: Buffer, { stat: was, content }: Print): Promise<boolean> {
  try {
    const stat = await lstat(file, { bigint: true });
    const same = (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((what) => stat[what] === was[what]);
    return same || (stat.size === was.size && (await contentOf(file, stat)) === content);
  } catch {
    // It is gone, or can no longer be read.
    return false;
  }
}

/** Null: neither a file nor a link. Waits for nothing. */
async function contentOf(file: Buffer, stat: BigIntStats): Promise<string | null> {
  if (stat.isSymbolicLink()) return `link ${(await readlink(file, 'buffer')).toString('latin1')}`;
  if (!stat.isFile()) return null;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false, end: Number(stat.size) })) hash.update(chunk);
    return `file ${hash.digest('hex')}`;
  } finally {
    await handle.close();
  }
}
