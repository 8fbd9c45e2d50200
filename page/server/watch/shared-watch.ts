import { setTimeout as delay } from 'node:timers/promises';
import { deltaLine, type Parts } from './parts.ts';

/** At most four lines a second to each reader. */
const BETWEEN_MS = 250;
/** A reader that hears nothing for longer is told that nothing has changed, so that one that is gone is noticed. */
const SILENCE_MS = 15_000;
const NOTHING = '{"set":{},"gone":[]}\n';

/** What a watch reads, and how long it rests then. `signal`: nobody reads any more. `again`: call it to end the rest. */
export type ReadParts = (how: {
  signal: AbortSignal;
  again: () => void;
}) => Promise<{ readonly parts: Parts; readonly restMs: number }>;

/** Something that changes, read over and over while anybody follows it: once, however many follow. */
export class SharedWatch {
  readonly #read: ReadParts;
  readonly #onIdle: () => void;
  readonly #readers = new Set<() => void>();
  #parts: Parts = new Map();
  #reading: AbortController | null = null;

  /** `onIdle`: called when the last reader is gone. */
  constructor(read: ReadParts, onIdle: () => void) {
    this.#read = read;
    this.#onIdle = onIdle;
  }

  /** Lines of what changed, the whole document first. Ends when `signal` is aborted. */
  async *follow(signal: AbortSignal): AsyncGenerator<string> {
    let wake: (() => void) | null = null;
    const onChange = (): void => wake?.();
    signal.addEventListener('abort', onChange);
    this.#readers.add(onChange);
    this.#start();
    let known: Parts = new Map();
    try {
      while (!signal.aborted) {
        const now = this.#parts;
        const line = deltaLine(known, now);
        known = now;
        if (line !== null) {
          yield line;
          await delay(BETWEEN_MS);
        } else if (now === this.#parts) {
          const silence = setTimeout(onChange, SILENCE_MS);
          const before = this.#parts;
          await new Promise<void>((resolve) => (wake = resolve));
          clearTimeout(silence);
          if (before === this.#parts) yield NOTHING;
        }
      }
    } finally {
      signal.removeEventListener('abort', onChange);
      this.#readers.delete(onChange);
      if (this.#readers.size === 0) {
        this.#reading?.abort();
        this.#reading = null;
        this.#onIdle();
      }
    }
  }

  #start(): void {
    if (this.#reading !== null) return;
    const reading = new AbortController();
    this.#reading = reading;
    void this.#loop(reading.signal);
  }

  async #loop(signal: AbortSignal): Promise<void> {
    let again = new AbortController();
    while (!signal.aborted) {
      const rest = new AbortController();
      again = rest;
      const { parts, restMs } = await this.#read({ signal, again: () => again.abort() });
      if (signal.aborted) return;
      this.#parts = parts;
      for (const wake of this.#readers) wake();
      // Aborted: somebody says that there is news, or nobody reads any more.
      await delay(restMs, null, { signal: AbortSignal.any([signal, rest.signal]) }).catch(() => undefined);
    }
  }
}
