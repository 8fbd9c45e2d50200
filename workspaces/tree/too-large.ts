import type { Difference } from './look-at-tree.ts';

const MIB = 1024 * 1024;
/** Hosts of git refuse larger files. Reading one would hold the checkpoint, and a cancel with it. */
const MAX_FILE_BYTES = 100 * MIB;
const MAX_CHECKPOINT_BYTES = 2048 * MIB;
/** Each file is written and flushed: this many take tens of seconds. */
const MAX_FILES = 200_000;

export const TOO_LARGE = `Too large for a commit (over ${MAX_FILE_BYTES / MIB} MiB a file, or ${MAX_CHECKPOINT_BYTES / MIB / 1024} GiB or ${MAX_FILES.toLocaleString('en-US')} files a checkpoint); what is new in them is kept in the tree only`;

/**
 * The files that are too large, or too many, to be committed, by their sizes alone: the largest ones, and of the others
 * the last ones. Names are bytes as Latin-1.
 */
export function tooLargeOf(differences: readonly Difference[]): ReadonlySet<string> {
  const files = differences.filter(({ found, stat }) => found === 'file' && stat !== null);
  let sum = 0;
  const bySize = files.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const first = bySize.findIndex((file) => {
    sum += sizeOf(file);
    return sizeOf(file) > MAX_FILE_BYTES || sum > MAX_CHECKPOINT_BYTES;
  });
  const large = new Set(first === -1 ? [] : bySize.slice(first).map(({ path }) => path));
  const others = files.map(({ path }) => path).filter((path) => !large.has(path));
  return new Set([...large, ...others.slice(MAX_FILES)]);
}

const sizeOf = ({ stat }: Difference): number => (stat?.isFile() === true ? stat.size : 0);
