import type { Readable } from 'node:stream';
import { openCapped, type CappedFile } from './capped-file.ts';
import type { RedactingStream } from '../../redaction/redacting-stream.ts';

/** One stream of an agent on its way to a file and a reader. */
export interface OutputPump {
  /** Settles when the stream has ended and the file is closed. Never rejects. */
  readonly done: Promise<void>;
  /** Aborted, with the reason, when the file could not be written or the reader threw; the rest is thrown away unread. */
  readonly broken: AbortSignal;
  /** performance.now() of the last bytes, or of the start. */
  readonly lastAt: () => number;
  /** How many bytes the file lacks, as the stream was longer than it may be; known once `done`. */
  readonly leftOut: () => number;
}

/**
 * Write a stream to a file of mode 0600, redacted and of at most `maxBytes`, handing what is written to `onChunk` as well. Back-pressure holds the
 * agent.
 */
export function pumpOutput({
  stream,
  file,
  maxBytes,
  redacting,
  beforeWrite,
  onChunk,
}: {
  stream: Readable;
  file: string;
  maxBytes: number;
  redacting: RedactingStream;
  beforeWrite: () => Promise<void>;
  onChunk: (chunk: Buffer) => void;
}): OutputPump {
  let lastAt = performance.now();
  let leftOut = 0;
  const taking = new AbortController();
  const giveUp = (reason: unknown): void => taking.abort(reason);

  const run = async (): Promise<void> => {
    const handle = await openCapped(file, maxBytes).catch(giveUp);
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
      leftOut = (await handle?.close().catch(giveUp)) ?? 0;
    }
  };
  return { done: run(), broken: taking.signal, lastAt: () => lastAt, leftOut: () => leftOut };
}

async function take(handle: CappedFile | void, chunk: Buffer, onChunk: (chunk: Buffer) => void): Promise<void> {
  if (chunk.length === 0) return;
  await handle?.write(chunk);
  onChunk(chunk);
}
