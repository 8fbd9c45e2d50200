import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { RedactingStream } from '../../redaction/redacting-stream.ts';

/** One stream of an agent on its way to a file and a reader. */
export interface OutputPump {
  /** Settles when the stream has ended and the file is closed. Never rejects. */
  readonly done: Promise<void>;
  /** Aborted, with the reason, when the file could not be written or the reader threw; the rest is thrown away unread. */
  readonly broken: AbortSignal;
  /** performance.now() of the last bytes, or of the start. */
  readonly lastAt: () => number;
}

/**
 * Write a stream to a file of mode 0600, redacted, handing what is written to `onChunk` as well. Back-pressure holds the
 * agent.
 */
export function pumpOutput({
  stream,
  file,
  redacting,
  beforeWrite,
  onChunk,
}: {
  stream: Readable;
  file: string;
  redacting: RedactingStream;
  beforeWrite: () => Promise<void>;
  onChunk: (chunk: Buffer) => void;
}): OutputPump {
  let lastAt = performance.now();
  const taking = new AbortController();
  const giveUp = (reason: unknown): void => taking.abort(reason);

  const run = async (): Promise<void> => {
    const handle = await open(file, 'w', 0o600).catch(giveUp);
    try {
      for await (const chunk of stream) {
        lastAt = performance.now();
        await beforeWrite();
        if (!taking.signal.aborted) await take(handle, redacting.push(chunk), onChunk).catch(giveUp);
      }
    } catch {
      // Only the stream itself throws here: the engine destroyed it after disposal, or its process is gone.
    } finally {
      if (!taking.signal.aborted) await take(handle, redacting.end(), onChunk).catch(giveUp);
      await handle?.close().catch(giveUp);
    }
  };
  return { done: run(), broken: taking.signal, lastAt: () => lastAt };
}

async function take(handle: FileHandle | void, chunk: Buffer, onChunk: (chunk: Buffer) => void): Promise<void> {
  if (chunk.length === 0) return;
  await handle?.writeFile(chunk);
  onChunk(chunk);
}
