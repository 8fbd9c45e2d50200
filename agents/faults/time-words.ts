/** One token of a sentence. `glued`: nothing stands between it and the token before it. */
export interface Token {
  readonly text: string;
  readonly glued: boolean;
}

const TOKEN = /(\s*)(\d+(?:\.\d+)?|\p{L}[\p{L}\p{M}'’]*|\S)/gu;

/** A text as numbers, words and single signs. Numbers are whole: "2026" is never "20" and "26". */
export function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN), ([, space, token = '']) => ({ text: token, glued: space === '' }));
}

/** Reads tokens from the left. What it takes is gone. */
export class Tokens {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The token `ahead` places from here; null at the end. */
  peek(ahead = 0): Token | null {
    return this.#tokens[this.#at + ahead] ?? null;
  }

  /** Whether these tokens come next, in any case of letters; then they are taken. */
  take(...texts: string[]): boolean {
    if (!texts.every((text, i) => this.peek(i)?.text.toLowerCase() === text)) return false;
    this.#at += texts.length;
    return true;
  }

  /** Take the next token if it is one of these, in any case of letters. */
  takeOf<T>(values: Readonly<Record<string, T>>, glued?: boolean): T | null {
    const next = this.peek();
    if (next === null || (glued !== undefined && next.glued !== glued)) return null;
    const key = next.text.toLowerCase();
    if (!Object.hasOwn(values, key)) return null;
    this.#at += 1;
    return values[key] ?? null;
  }

  /** Take the next token if it is a whole number with so many digits. */
  takeNumber(minDigits: number, maxDigits: number): number | null {
    const next = this.peek();
    if (next === null || !/^\d+$/.test(next.text)) return null;
    if (next.text.length < minDigits || next.text.length > maxDigits) return null;
    this.#at += 1;
    return Number(next.text);
  }

  /** Try to read something. Where that gives null, nothing is taken. */
  try<T>(read: () => T | null): T | null {
    const from = this.#at;
    const result = read();
    if (result === null) this.#at = from;
    return result;
  }

  /** Whether what comes next is a part of the same word or figure as what was taken last. */
  goesOn(): boolean {
    const [next, after] = [this.peek(), this.peek(1)];
    if (next === null || !next.glued) return false;
    if (/^[\p{L}\d_%$€£]/u.test(next.text)) return true;
    // A sign ends a sentence or a figure: "8pm." and "8pm-9pm".
    return after !== null && after.glued && /^[-/:.,+]$/.test(next.text) && /^\d/.test(after.text);
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const UNITS = namesOf({
  [1]: 'ms msec msecs millisecond milliseconds',
  [SECOND]: 's sec secs second seconds',
  [MINUTE]: 'm min mins minute minutes',
  [HOUR]: 'h hr hrs hour hours',
  [DAY]: 'd day days',
  [7 * DAY]: 'w wk wks week weeks',
  // The longest: a limit by the month is over by then.
  [31 * DAY]: 'month months',
});

export const MONTHS = inOrder(
  'jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|oct october|nov november|dec december',
);
export const WEEKDAYS = inOrder(
  'sun sunday|mon monday|tue tues tuesday|wed wednesday|thu thur thurs thursday|fri friday|sat saturday',
);

function namesOf(byValue: Readonly<Record<number, string>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(byValue).flatMap(([value, names]) => names.split(' ').map((name) => [name, Number(value)])),
  );
}

/** The names' place in a list. */
function inOrder(list: string): Readonly<Record<string, number>> {
  return Object.fromEntries(list.split('|').flatMap((names, i) => names.split(' ').map((name) => [name, i])));
}
