import { apart, replaced, type Found } from './found.ts';
import { RedactingStream } from './redacting-stream.ts';
import type { Secret } from './secret.ts';
import { anyOf, spellings, type Spelling } from './spellings.ts';
import { findShapes } from './token-shapes.ts';

/** A longer value is looked for piece by piece, so that a stream need not be held back for long. */
const MAX_PIECE_CHARS = 4_096;
/** Beyond, the values that were learned first are forgotten: logins get renewed as long as a worker lives. */
const MAX_VALUES = 512;

/**
 * Takes secrets out of everything that is about to be written down: the values that it was told, however they are
 * spelled (see `spellings`), and tokens known by their shape. One per worker; what it learns counts at once, everywhere.
 */
export class Redactor {
  /** Names by value, the oldest first. */
  readonly #names = new Map<string, string>();
  #spellings: { readonly name: string; readonly spelling: Spelling }[] = [];
  #seeds: RegExp | null = null;

  learn(secrets: readonly Secret[]): void {
    const fresh = secrets.flatMap(pieces).filter(({ value }) => value !== '' && !this.#names.has(value));
    if (fresh.length === 0) return;
    for (const { name, value } of fresh) this.#names.set(value, name);
    for (const value of this.#names.keys()) {
      if (this.#names.size <= MAX_VALUES) break;
      this.#names.delete(value);
    }
    // The longest first: where one value begins with another, it is the one that is meant.
    const known = [...this.#names].toSorted(([a], [b]) => b.length - a.length);
    this.#spellings = known.flatMap(([value, name]) => spellings(value).map((spelling) => ({ name, spelling })));
    this.#seeds = new RegExp(anyOf(this.#spellings.map(({ spelling }) => spelling.seed)), 'g');
  }

  /** The same text with a mark in place of each secret. */
  text(text: string): string {
    return replaced(text, this.find(text));
  }

  /** The same value of JSON with every string in it redacted, names of fields as well. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.json(item)]));
  }

  /** For bytes that come in pieces. */
  stream(): RedactingStream {
    return new RedactingStream((text) => this.find(text));
  }

  /** Where secrets stand, in order and apart. @param text UTF-16, or UTF-8 bytes read as Latin-1 */
  find(text: string): Found[] {
    return apart([...this.#findValues(text), ...findShapes(text)]);
  }

  #findValues(text: string): Found[] {
    const found: Found[] = [];
    const seeds = this.#seeds;
    if (seeds === null) return found;
    seeds.lastIndex = 0;
    for (let seed = seeds.exec(text); seed !== null; seed = seeds.exec(text)) {
      const here = this.#valueAt(text, seed.index);
      if (here !== null) found.push(here);
      seeds.lastIndex = here === null ? seed.index + 1 : here.to;
    }
    return found;
  }

  #valueAt(text: string, from: number): Found | null {
    for (const { name, spelling } of this.#spellings) {
      const to = spelling.endAt(text, from);
      if (to !== null) return { from, to, name };
    }
    return null;
  }
}

function pieces({ name, value }: Secret): Secret[] {
  const count = Math.max(1, Math.ceil(value.length / MAX_PIECE_CHARS));
  const length = Math.ceil(value.length / count);
  return Array.from({ length: count }, (_, i) => ({ name, value: value.slice(i * length, (i + 1) * length) }));
}
