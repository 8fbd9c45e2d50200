import { replaced, type Found } from './found.ts';
import { LOOKBEHIND_CHARS } from './token-shapes.ts';

/** No secret is longer in any spelling that is looked for. */
const MAX_SECRET_BYTES = 32_768;
/** A line that ends in so much base64 may go on in the next one. */
const WRAPPED_LINE = /[A-Za-z0-9+/=_-]{56}\r?\n$/;
const WRAPPED_BYTES = 64;
const NEWLINE = 0x0a;
/** A private key that is under way. */
const OPEN_KEY = /-----BEGIN [A-Z0-9 ]{0,48}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s:,-]*$/;

/**
 * Redacts bytes that come in pieces, wherever they are cut. Whole lines are handed on at once; held back is the line
 * under way, and what a secret that spans lines may have begun in: at most 64 KiB and one piece.
 */
export class RedactingStream {
  readonly #find: (text: string) => readonly Found[];
  /** Bytes as Latin-1: one character each. */
  #held = '';
  /** The last bytes handed on, as they came: whether a token begins depends on what stands before it. */
  #before = '';

  constructor(find: (text: string) => readonly Found[]) {
    this.#find = find;
  }

  push(bytes: Buffer): Buffer {
    this.#held += bytes.toString('latin1');
    const complete = bytes.includes(NEWLINE) ? completeLength(this.#held) : 0;
    if (complete > 0) return this.#handOn(complete);
    // One line without an end: looked at once per MAX_SECRET_BYTES, however small the pieces are.
    if (this.#held.length < 2 * MAX_SECRET_BYTES) return Buffer.alloc(0);
    return this.#handOn(this.#held.length - MAX_SECRET_BYTES);
  }

  /** What was held back. */
  end(): Buffer {
    return this.#handOn(this.#held.length);
  }

  /** Hand on so many bytes, or more where a secret would be cut. */
  #handOn(length: number): Buffer {
    const context = this.#before.length;
    const text = this.#before + this.#held;
    let until = context + length;
    const ready: Found[] = [];
    for (const found of this.#find(text)) {
      if (found.from < context || found.from >= until) continue;
      ready.push({ ...found, from: found.from - context, to: found.to - context });
      until = Math.max(until, found.to);
    }
    const result = replaced(text.slice(context, until), ready);
    this.#before = text.slice(Math.max(0, until - LOOKBEHIND_CHARS), until);
    this.#held = text.slice(until);
    return Buffer.from(result, 'latin1');
  }
}

/** How much of it, from its start, no later byte can make part of a secret. */
function completeLength(held: string): number {
  let end = held.lastIndexOf('\n') + 1;
  while (end > 0 && WRAPPED_LINE.test(held.slice(Math.max(0, end - WRAPPED_BYTES), end))) {
    end = end === 1 ? 0 : held.lastIndexOf('\n', end - 2) + 1;
  }
  const key = OPEN_KEY.exec(held.slice(-MAX_SECRET_BYTES));
  if (key !== null) end = Math.min(end, Math.max(0, held.length - MAX_SECRET_BYTES) + key.index);
  return Math.max(end, held.length - 2 * MAX_SECRET_BYTES);
}
