import { apart, replaced, type Found } from './found.ts';
import { RedactingStream } from './redacting-stream.ts';
import type { Secret } from './secret.ts';
import { anyOf, ESCAPED_LETTER, spellings, type Spelling } from './spellings.ts';
import { findShapes } from './token-shapes.ts';

/** A longer value is looked for piece by piece, so that a stream need not be held back for long. */
const MAX_PIECE_CHARS = 2_048;
/** Beyond, the values that were learned first are forgotten: logins get renewed as long as a worker lives. */
const MAX_VALUES = 512;

/**
 * Takes secrets out of everything that is about to be written down: the values that it was told, however they are
 * spelled (see `spellings`), and tokens known by their shape. One per worker; what it learns counts at once, everywhere.
 */
export class Redactor {
  /** Names by value, the oldest first. */
  readonly #names = new Map<string, string>();
  /** What is looked for, by whether letters may be escaped; made when it is needed. */
  readonly #sought = new Map<boolean, Sought>();

  learn(secrets: readonly Secret[]): void {
    const fresh = secrets.flatMap(pieces).filter(({ value }) => value !== '' && !this.#names.has(value));
    if (fresh.length === 0) return;
    for (const { name, value } of fresh) this.#names.set(value, name);
    for (const value of this.#names.keys()) {
      if (this.#names.size <= MAX_VALUES) break;
      this.#names.delete(value);
    }
    this.#sought.clear();
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
    if (this.#names.size === 0) return found;
    const { seeds, named } = this.#soughtIn(text);
    seeds.lastIndex = 0;
    for (let seed = seeds.exec(text); seed !== null; seed = seeds.exec(text)) {
      const here = valueAt(named, text, seed.index);
      if (here !== null) found.push(here);
      seeds.lastIndex = here === null ? seed.index + 1 : here.to;
    }
    return found;
  }

  #soughtIn(text: string): Sought {
    const letters = ESCAPED_LETTER.test(text);
    const made = this.#sought.get(letters) ?? soughtOf(this.#names, letters);
    this.#sought.set(letters, made);
    return made;
  }
}

/** The spellings of all values, and one pattern for how any of them begins. */
interface Sought {
  readonly seeds: RegExp;
  readonly named: readonly { readonly name: string; readonly spelling: Spelling }[];
}

function soughtOf(names: ReadonlyMap<string, string>, letters: boolean): Sought {
  // The longest first: where one value begins with another, it is the one that is meant.
  const known = [...names].toSorted(([a], [b]) => b.length - a.length);
  const named = known.flatMap(([value, name]) => spellings(value, letters).map((spelling) => ({ name, spelling })));
  return { named, seeds: new RegExp(anyOf(named.map(({ spelling }) => spelling.seed)), 'g') };
}

function valueAt(named: Sought['named'], text: string, from: number): Found | null {
  for (const { name, spelling } of named) {
    const to = spelling.endAt(text, from);
    if (to !== null) return { from, to, name };
  }
  return null;
}

function pieces({ name, value }: Secret): Secret[] {
  const count = Math.max(1, Math.ceil(value.length / MAX_PIECE_CHARS));
  const length = Math.ceil(value.length / count);
  return Array.from({ length: count }, (_, i) => ({ name, value: value.slice(i * length, (i + 1) * length) }));
}
