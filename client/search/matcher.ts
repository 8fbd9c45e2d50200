import type { SearchQuery } from './search-query.ts';

/** A part of a text, in UTF-16 code units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Finds what is searched for: quickly in bytes, where it may be, and exactly in a text. */
export interface Matcher {
  /** Gives, for an offset, the next one from it on at which a match may be; -1: none. To be asked with rising offsets. */
  candidates(bytes: Buffer): (from: number) => number;
  /** The first match in a decoded text. */
  find(text: string): Match | null;
}

/** Throws SyntaxError where a regular expression is not valid. */
export function matcherOf(query: Pick<SearchQuery, 'text' | 'regex' | 'ignoreCase'>): Matcher {
  const { text, regex, ignoreCase } = query;
  const i = ignoreCase ? 'i' : '';
  if (regex) return { candidates: everywhere, find: finder(new RegExp(text, `mu${i}`)) };
  const anchor = anchorOf(text);
  const candidates = anchor === null ? () => everywhere : () => anchored(anchor, text, ignoreCase);
  const find = ignoreCase ? finder(new RegExp(asPattern(text), 'i')) : indexFinder(text);
  return { candidates: (bytes) => candidates()(bytes), find };
}

const finder =
  (pattern: RegExp): Matcher['find'] =>
  (text) => {
    const found = pattern.exec(text);
    return found === null ? null : { start: found.index, end: found.index + found[0].length };
  };

const indexFinder =
  (literal: string): Matcher['find'] =>
  (text) => {
    const start = text.indexOf(literal);
    return start === -1 ? null : { start, end: start + literal.length };
  };

const asPattern = (literal: string): string => literal.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

const everywhere: Matcher['candidates'] = (bytes) => (from) => (from < bytes.length ? from : -1);

/** Characters that JSON may escape with a letter or themselves. */
const ESCAPABLE = /["\\/]|\p{Cc}/u;

/** The longest part of a text that JSON can only escape as `\uXXXX`; null: there is none. */
function anchorOf(text: string): string | null {
  const parts = text.split(ESCAPABLE).toSorted((a, b) => b.length - a.length);
  const [longest = ''] = parts;
  return longest === '' ? null : longest;
}

/**
 * A match holds the anchor as it is, or a character of the text as `\uXXXX`. Both are looked for in bytes, so that the
 * other lines are never decoded.
 */
function anchored(anchor: string, text: string, ignoreCase: boolean): Matcher['candidates'] {
  const find = ignoreCase ? anyCase(anchor) : exact(anchor);
  if (find === null) return everywhere;
  const escapes = escapesOf(ignoreCase ? text + text.toLowerCase() + text.toUpperCase() : text);
  return (bytes) => {
    const nextAnchor = ahead(find(bytes));
    const nextEscape = ahead((from) => escapeIn(bytes, from, escapes));
    return (from) => {
      const [a, b] = [nextAnchor(from), nextEscape(from)];
      return a === -1 || b === -1 ? Math.max(a, b) : Math.min(a, b);
    };
  };
}

const exact = (anchor: string): Matcher['candidates'] => {
  const needle = Buffer.from(anchor);
  return (bytes) => (from) => bytes.indexOf(needle, from);
};

/** Null: what letters of other scripts are in bytes depends on their case. */
function anyCase(anchor: string): Matcher['candidates'] | null {
  if (!/^[ -~]+$/.test(anchor)) return null;
  return (bytes) => {
    const pattern = new RegExp(asPattern(anchor), 'gi');
    const text = bytes.toString('latin1');
    return (from) => {
      pattern.lastIndex = from;
      return pattern.exec(text)?.index ?? -1;
    };
  };
}

/** Remembers what was found until it is passed, so that nothing is searched twice. */
function ahead(find: (from: number) => number): (from: number) => number {
  let found: number | null = null;
  return (from) => {
    if (found === null || (found !== -1 && found < from)) found = find(from);
    return found;
  };
}

const ESCAPE = Buffer.from(String.raw`\u`);

/** The four hexadecimal digits of each code unit of a text. */
function escapesOf(text: string): ReadonlySet<string> {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return new Set(units.map((unit) => unit.toString(16).padStart(4, '0')));
}

function escapeIn(bytes: Buffer, from: number, escapes: ReadonlySet<string>): number {
  for (let at = bytes.indexOf(ESCAPE, from); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
    if (escapes.has(bytes.toString('latin1', at + 2, at + 6).toLowerCase())) return at;
  }
  return -1;
}
