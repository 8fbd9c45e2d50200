/** A way in which a value may be spelled. */
export interface Spelling {
  /** Patterns of its first characters: cheap to look for, and rarely met where the rest does not follow. */
  readonly seed: readonly string[];
  /** Where it ends that begins at `from`; null where it does not begin there. */
  endAt(text: string, from: number): number | null;
}

const SEED_UNITS = 10;

/** What may stand between two characters of a long encoded text: a line's end, also one that is spelled in JSON. */
const WRAP = '(?:(?:\\\\{1,4}r)?\\\\{1,4}n|\\r?\\n)?';

/** A letter, a digit, "-" or "_" that is escaped all the same: "\\u0061", "\\x61" and "%61" are an "a". */
export const ESCAPED_LETTER = /(?:%|\\u00|\\x)(?:3\d|[46][1-9a-f]|[57][0-9a]|2d|5f)/i;

/**
 * The spellings of a value: as it is, in JSON, percent-encoded (these three also mixed), in hex, and in base64 or
 * base64url at each of the three places that a text around it may put it.
 * @param letters whether letters may be escaped too, which no program needs to do, and which takes longer to look for
 */
export function spellings(value: string, letters: boolean): Spelling[] {
  const bytes = Buffer.from(value, 'utf8');
  return [
    spelling(
      Array.from(value, (character) => plainUnit(character, letters)),
      '',
    ),
    spelling(Array.from(bytes.toString('hex'), hexUnit), ''),
    ...[0, 1, 2].map((before) => spelling(Array.from(base64Core(bytes, before), base64Unit), WRAP)),
  ];
}

/** One pattern for any of the seeds: what they begin with in common is looked at once. */
export function anyOf(seeds: readonly (readonly string[])[]): string {
  const rests = new Map<string, string[][]>();
  for (const [first, ...rest] of seeds) {
    // One seed ends here: whatever follows, it was met.
    if (first === undefined) return '';
    rests.set(first, [...(rests.get(first) ?? []), rest]);
  }
  const alternatives = [...rests].map(([first, group]) => first + anyOf(group));
  return alternatives.length === 1 ? alternatives.join('') : `(?:${alternatives.join('|')})`;
}

/** @param units one pattern per character */
function spelling(units: readonly string[], between: string): Spelling {
  const seed = units.slice(0, SEED_UNITS).map((unit, i) => (i === 0 ? unit : between + unit));
  const begins = new RegExp(seed.join(''), 'y');
  let whole: RegExp | null = null;
  return {
    seed,
    endAt(text, from) {
      begins.lastIndex = from;
      if (!begins.test(text)) return null;
      // Long, so it is made only once it is needed.
      whole ??= new RegExp(units.join(between), 'y');
      whole.lastIndex = from;
      return whole.test(text) ? whole.lastIndex : null;
    },
  };
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' };
/** Each JSON text inside a JSON text doubles the backslashes. */
const BACKSLASHES = '\\\\{1,7}';

/** One character: in UTF-16, in UTF-8 bytes that are read as Latin-1, percent-encoded and escaped. */
function plainUnit(character: string, letters: boolean): string {
  if (!letters && /^[A-Za-z0-9_-]$/.test(character)) return character;
  const bytes = Buffer.from(character, 'utf8');
  const forms = new Set([literal(character), literal(bytes.toString('latin1'))]);
  forms.add([...bytes].map((byte) => `%${hexUnits(byte.toString(16).padStart(2, '0'))}`).join(''));
  forms.add(
    Array.from(
      { length: character.length },
      (_, i) => `${BACKSLASHES}u${hexUnits(character.charCodeAt(i).toString(16).padStart(4, '0'))}`,
    ).join(''),
  );
  if (bytes.length === 1)
    forms.add(`${BACKSLASHES}x${hexUnits(character.charCodeAt(0).toString(16).padStart(2, '0'))}`);
  if (character === ' ') forms.add('\\+');
  if (/["\\/]/.test(character)) forms.add(BACKSLASHES + literal(character));
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) forms.add(BACKSLASHES + short);
  return `(?:${[...forms].join('|')})`;
}

/** The characters of its base64 that depend on the value alone, with `before` bytes of something else ahead of it. */
function base64Core(bytes: Buffer, before: number): string {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  return padded.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6));
}

function base64Unit(character: string): string {
  if (character === '+') return '(?:\\+|-|%2[bB])';
  if (character === '/') return '(?:\\\\{0,7}\\/|_|%2[fF])';
  return character;
}

const hexUnits = (digits: string): string => Array.from(digits, hexUnit).join('');

function hexUnit(digit: string): string {
  return /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit;
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
