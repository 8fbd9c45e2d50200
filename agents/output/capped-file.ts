import { open, type FileHandle } from 'node:fs/promises';

/** Of what is beyond the cap, this much of the end is kept. Held in memory until the file is closed. */
const TAIL_BYTES = 1024 * 1024;

/** A file that a program's output goes to, of which the middle is left out if the program never stops printing. */
export interface CappedFile {
  write(chunk: Buffer): Promise<void>;
  /** Write the end, and close. @returns how many bytes were left out */
  close(): Promise<number>;
}

/**
 * Open a file of mode 0600 for a stream: a runaway must not fill the disk. It holds `maxBytes`, the beginning and the
 * end, and between them a line that says how much is missing.
 */
export async function openCapped(file: string, maxBytes: number): Promise<CappedFile> {
  return capped(await open(file, 'w', 0o600), maxBytes);
}

function capped(handle: FileHandle, maxBytes: number): CappedFile {
  const headBytes = maxBytes - TAIL_BYTES;
  let written = 0;
  let left = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;

  const keep = (chunk: Buffer): void => {
    tail.push(chunk);
    tailBytes += chunk.length;
    // Joined at twice the size, so that many short pieces do not copy the whole each time.
    if (tailBytes > TAIL_BYTES * 2) trim();
  };
  const trim = (): void => {
    const joined = Buffer.concat(tail);
    const kept = joined.subarray(Math.max(0, joined.length - TAIL_BYTES));
    left += joined.length - kept.length;
    tail = [Buffer.from(kept)];
    tailBytes = kept.length;
  };
  return {
    async write(chunk) {
      const room = Math.max(0, headBytes - written);
      const head = chunk.subarray(0, room);
      if (head.length > 0) await handle.writeFile(head);
      written += head.length;
      if (chunk.length > room) keep(chunk.subarray(room));
    },
    async close() {
      try {
        trim();
        if (left > 0) await handle.writeFile(`\n[ralph: ${left} bytes were left out here]\n`);
        if (tailBytes > 0) await handle.writeFile(Buffer.concat(tail));
        return left;
      } finally {
        await handle.close();
      }
    },
  };
}
