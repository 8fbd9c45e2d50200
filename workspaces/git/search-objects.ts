import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../repository/engine-repository.ts';
import { engineGit, GitError } from './git.ts';
import { readLooseObject } from './loose-objects.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** An object that a checkpoint added to the engine's repository. */
export interface NewObject {
  readonly oid: string;
  /** Of a file or a folder below the top; null for commits and the top folder. */
  readonly path: string | null;
}

/** What an object holds. */
export interface ObjectContent {
  /** Of a file; null for a commit's own text and for names of files. */
  readonly path: string | null;
  /** Its bytes as Latin-1. */
  readonly text: string;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** What is unpacked at once may take half a gibibyte of the disk. */
const OBJECTS_AT_ONCE = 128;
const HEAD_BYTES = 128;
const TIMEOUT_MS = 600_000;

/**
 * The contents of objects: files, their names, the texts of commits. Files of more than 4 MiB are left out. Loose
 * objects, which all new ones are as a rule, are read without git.
 */
export async function* searchObjects(paths: RunPaths, objects: readonly NewObject[]): AsyncGenerator<ObjectContent> {
  const folder = join(paths.repository, 'objects');
  const packed: NewObject[] = [];
  for (const object of objects) {
    const found = await readLooseObject(folder, object.oid, { maxBytes: MAX_FILE_BYTES });
    if (found === null) packed.push(object);
    else if (found.bytes !== null) yield held(object, found.type, found.bytes.toString('latin1'));
  }
  if (packed.length > 0) yield* fromPacks(paths, packed);
}

const held = ({ path }: NewObject, type: string, text: string): ObjectContent => ({
  path: type === 'blob' ? path : null,
  text,
});

async function* fromPacks(paths: RunPaths, objects: readonly NewObject[]): AsyncGenerator<ObjectContent> {
  const scratch = scratchFolder(paths);
  try {
    const small = await smallOf(paths, objects);
    for (let from = 0; from < small.length; from += OBJECTS_AT_ONCE) {
      yield* contents(paths.repository, small.slice(from, from + OBJECTS_AT_ONCE), join(scratch, 'objects'));
    }
  } finally {
    await removeTree(scratch);
  }
}

const idsOf = (objects: readonly NewObject[]): { text: string } => ({
  text: objects.map(({ oid }) => `${oid}\n`).join(''),
});

/** Without the files that are too large. An object that is gone stays in, so that reading it fails. */
async function smallOf(paths: RunPaths, objects: readonly NewObject[]): Promise<NewObject[]> {
  const args = ['cat-file', '--batch-check=%(objectsize)', '--buffer'];
  const { stdout } = await engineGit({ gitDir: paths.repository, args, stdin: idsOf(objects), timeoutMs: TIMEOUT_MS });
  const sizes = stdout.toString('latin1').split('\n');
  return objects.filter((_, at) => !(Number(sizes[at]) > MAX_FILE_BYTES));
}

async function* contents(gitDir: string, objects: readonly NewObject[], file: string): AsyncGenerator<ObjectContent> {
  const args = ['cat-file', '--batch', '--buffer'];
  await engineGit({ gitDir, args, stdin: idsOf(objects), stdoutFile: file, timeoutMs: TIMEOUT_MS });
  const handle = await open(file, 'r');
  try {
    let at = 0;
    for (const object of objects) {
      const head = (await read(handle, at, HEAD_BYTES)).split('\n', 1)[0] ?? '';
      const [, type = '', size] = /^\w+ (\w+) (\d+)$/.exec(head) ?? [];
      if (size === undefined) throw new GitError('cat-file', 0, head);
      at += head.length + 1;
      yield held(object, type, await read(handle, at, Number(size)));
      at += Number(size) + 1;
    }
  } finally {
    await handle.close();
  }
}

async function read(handle: FileHandle, at: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.toString('latin1', 0, bytesRead);
}
