import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../round/engine-repository.ts';
import { git, gitText } from './git.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** Something that commits brought. */
export interface Brought {
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
 * Everything that an attempt's commits brought beyond `base`: files, their names, commit messages, also of the branches
 * and stashes that were kept. Files of more than 4 MiB are left out.
 */
export async function* searchCommits(asked: {
  paths: RunPaths;
  runId: string;
  round: number;
  attempt: number;
  base: string;
  commit: string;
}): AsyncGenerator<Brought> {
  const { paths, runId, round, attempt, base, commit } = asked;
  const gitDir = paths.repository;
  const kept = `--glob=refs/ralph/${runId}/${round}.${attempt}/*`;
  const listed = await gitText({
    gitDir,
    args: ['rev-list', '--objects', `--filter=blob:limit=${MAX_FILE_BYTES + 1}`, commit, kept, '--not', base, '--'],
    timeoutMs: TIMEOUT_MS,
  });
  const objects = listed.split('\n').filter((line) => line !== '');
  if (objects.length === 0) return;
  const scratch = await scratchFolder(paths);
  try {
    for (let from = 0; from < objects.length; from += OBJECTS_AT_ONCE) {
      yield* contents(gitDir, objects.slice(from, from + OBJECTS_AT_ONCE), join(scratch, 'objects'));
    }
  } finally {
    await removeTree(scratch);
  }
}

/** @param objects lines of `rev-list --objects`: an object's name, and a path where it has one */
async function* contents(gitDir: string, objects: readonly string[], file: string): AsyncGenerator<Brought> {
  await git({
    gitDir,
    args: ['cat-file', '--batch', '--buffer'],
    stdin: { text: objects.map((line) => `${line.split(' ', 1)[0]}\n`).join('') },
    stdoutFile: file,
    timeoutMs: TIMEOUT_MS,
  });
  const handle = await open(file, 'r');
  try {
    let at = 0;
    for (const line of objects) {
      const head = (await read(handle, at, HEAD_BYTES)).split('\n', 1)[0] ?? '';
      const [, type, size] = /^\w+ (\w+) (\d+)$/.exec(head) ?? [];
      if (size === undefined) throw new Error(`git cat-file says "${head}"`);
      at += head.length + 1;
      yield {
        path: type === 'blob' ? line.slice(line.indexOf(' ') + 1) : null,
        text: await read(handle, at, Number(size)),
      };
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
