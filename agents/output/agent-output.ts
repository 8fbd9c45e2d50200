import type { Readable } from 'node:stream';
import type { RedactingStream } from '../../redaction/redacting-stream.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { within } from '../../system/within.ts';
import type { Contained } from '../containment/containment.ts';
import type { OutputReader } from '../provider.ts';
import { TextTail } from './bounded-text.ts';
import { openCapped, type CappedFile } from './capped-file.ts';

const MAX_LINE_BYTES = 1_048_576;
const STDERR_TAIL_CHARS = 8_192;
const MIB = 1024 * 1024;
/** Most bytes of what an agent prints that its files hold: 512 MiB in all. */
export const OUTPUT_CAPS = { transcript: 448 * MIB, stderr: 64 * MIB };
/** Nothing of the attempt runs any more: what its pipes still hold is there at once. */
const DRAIN_MS = 2_000;

/** What an agent prints, redacted on its way to the files and the reader. */
export interface AgentOutput {
  readonly broken: AbortSignal;
  readonly lastAt: () => number;
  /** Take what the pipes still hold, then let go of them: a grandchild that escaped may hold them open for ever. */
  finish(): Promise<void>;
  stderrTail(): string;
  /** What a reader of the record must know of its files, once it has finished. */
  notes(): string[];
}

/** Begin to read an agent's output; nothing is lost while nobody awaits it. */
export function readOutput({
  contained,
  reader,
  files,
  caps,
  redactor,
  beforeWrite,
  onActivity,
}: {
  contained: Contained;
  reader: OutputReader;
  files: { transcript: string; stderr: string };
  /** Most bytes that each file holds. */
  caps: { transcript: number; stderr: number };
  redactor: Redactor;
  /** Awaited before anything is written, so that new secrets are known. */
  beforeWrite: () => Promise<void>;
  onActivity: (activity: string) => void;
}): AgentOutput {
  const lines = new LineSplitter(MAX_LINE_BYTES, (line) => {
    const activity = reader.line(line);
    if (activity !== null) onActivity(activity);
  });
  const errors = new TextTail(STDERR_TAIL_CHARS);
  const pumps: [transcript: OutputPump, stderr: OutputPump] = [
    pumpOutput({
      stream: contained.stdout,
      file: files.transcript,
      maxBytes: caps.transcript,
      redacting: redactor.stream(),
      beforeWrite,
      onChunk: (chunk) => lines.add(chunk),
    }),
    pumpOutput({
      stream: contained.stderr,
      file: files.stderr,
      maxBytes: caps.stderr,
      redacting: redactor.stream(),
      beforeWrite,
      onChunk: (chunk) => errors.add(chunk.toString('utf8')),
    }),
  ];
  return {
    broken: AbortSignal.any(pumps.map((pump) => pump.broken)),
    lastAt: () => Math.max(...pumps.map((pump) => pump.lastAt())),
    async finish() {
      const done = Promise.all(pumps.map((pump) => pump.done));
      await within(DRAIN_MS, done);
      contained.stdout.destroy();
      contained.stderr.destroy();
      await done;
      lines.end();
    },
    stderrTail: () => errors.text() ?? '',
    notes: () =>
      (['transcript', 'stderr'] as const).flatMap((what, i) => {
        const leftOut = pumps[i]?.leftOut() ?? 0;
        if (leftOut === 0) return [];
        return [`The agent printed more than is kept: ${leftOut} bytes are missing from the middle of its ${what}.`];
      }),
  };
}

/** One stream of an agent on its way to a file and a reader. */
interface OutputPump {
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
function pumpOutput({
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

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines and hands each one on as text. Holds at most `maxBytes`: a longer line is left out
 * whole.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Hand on what stands after the last newline. */
  end(): void {
    const whole = this.#bytes <= this.#maxBytes;
    const line = Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    this.#bytes = 0;
    if (whole && line.trim() !== '') this.#onLine(line.replace(/\r$/, ''));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }
}
