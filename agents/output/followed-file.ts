import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { withHomeFile } from '../logins/read-home-file.ts';
import { LineSplitter } from './agent-output.ts';

const MAX_LINE_BYTES = 1_048_576;
const CHUNK_BYTES = 262_144;
/** Most that is read at a look; what is beyond it is read at the next ones. */
const MAX_LOOK_BYTES = 16_777_216;

/**
 * Hands on, line by line, what a program appends to a file in its private HOME. The agent can write there as well: the
 * lines are only as good as those that it prints.
 */
export class FollowedFile {
  readonly #home: string;
  readonly #to: string;
  readonly #lines: LineSplitter;
  #at = 0;

  /** @param to relative to the private HOME */
  constructor(home: string, to: string, onLine: (line: string) => void) {
    this.#home = home;
    this.#to = to;
    this.#lines = new LineSplitter(MAX_LINE_BYTES, onLine);
  }

  /** Take what was appended since the last look. Never rejects: a file that cannot be read tells nothing. */
  async look(): Promise<void> {
    await withHomeFile(this.#home, this.#to, async (handle) => {
      const until = this.#at + MAX_LOOK_BYTES;
      while (this.#at < until) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, this.#at);
        if (bytesRead === 0) return;
        this.#at += bytesRead;
        this.#lines.add(buffer.subarray(0, bytesRead));
      }
    });
  }
}

/** A file of a session that a program keeps in its private HOME, under a name that is known by its end alone. */
export interface SessionFile {
  /** Relative to the private HOME. */
  readonly folder: string;
  /** How many folders lie between that one and the file. */
  readonly depth: number;
  readonly nameEnds: string;
}

const MAX_FOLDERS = 64;

/** Begin to follow the file of a session; null: it is not there yet. */
export async function followSession(
  home: string,
  { folder, depth, nameEnds }: SessionFile,
  onLine: (line: string) => void,
): Promise<FollowedFile | null> {
  let folders = [folder];
  for (let level = 0; level < depth; level += 1) {
    const inside = await Promise.all(folders.map(async (each) => await below(home, each)));
    folders = inside.flat().slice(0, MAX_FOLDERS);
  }
  for (const each of folders) {
    const file = (await below(home, each)).find((name) => name.endsWith(nameEnds));
    if (file !== undefined) return new FollowedFile(home, file, onLine);
  }
  return null;
}

/** What is in a folder, relative to the private HOME; nothing where it is not there, or is no folder. */
const below = async (home: string, folder: string): Promise<string[]> =>
  (await readdir(path.join(home, folder)).catch(() => [])).map((name) => path.join(folder, name));
