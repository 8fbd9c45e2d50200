import { findInEvent } from '../../../client/search/decoded-text.ts';
import { matcherOf } from '../../../client/search/matcher.ts';

const plain = { regex: false, ignoreCase: false };
const LETTERS: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', '\n': 'n', '\t': 't' };

/** Every way to write one code unit within a JSON text. */
function spellings(unit: string): string[] {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
  const letter = LETTERS[unit];
  const raw = unit < ' ' || unit === '"' || unit === '\\' ? [] : [unit];
  return [...raw, ...(letter === undefined ? [] : [`\\${letter}`]), `\\u${hex}`, `\\u${hex.toUpperCase()}`];
}

/** JSON texts that all mean this text: each of its code units is written in each way once. */
function writings(text: string): string[] {
  return Array.from({ length: text.length }, (_, at) =>
    spellings(text.charAt(at)).map(
      (spelled) =>
        `${JSON.stringify(text.slice(0, at)).slice(1, -1)}${spelled}${JSON.stringify(text.slice(at + 1)).slice(1, -1)}`,
    ),
  ).flat();
}

describe.each(['abc', 'a/b', 'say "no"', 'a\\d', 'two\nlines', '"', 'grüße', '日本', 'a😀b'])('the text %j', (text) => {
  // Half of a surrogate pair cannot stand in UTF-8.
  const lines = writings(text)
    .map((written) => `{"type":"x","n":1,"text":"before ${written} after"}`)
    .filter((line) => Buffer.from(line).toString() === line);

  test.each(lines)('is found however JSON spells it: %s', (line) => {
    const matcher = matcherOf({ text, ...plain });
    expect(matcher.candidates(Buffer.from(line))(0)).not.toBe(-1);
    expect(findInEvent(matcher, line)?.text).toBe(`before ${text} after`);
  });
});

test('what only the escapes of a line spell is no match', () => {
  const matcher = matcherOf({ text: 'nworld', ...plain });
  expect(findInEvent(matcher, String.raw`{"text":"hello\nworld"}`)).toBeNull();
});

test('keys, numbers and what lies across texts are found as they stand in the line', () => {
  const line = '{"type":"error","code":429}';
  for (const text of ['"type":"error"', '"code":429']) {
    expect(findInEvent(matcherOf({ text, ...plain }), line)?.text).toBe(line);
  }
});

test('a torn line is decoded as far as it goes', () => {
  const found = findInEvent(matcherOf({ text: 'abc', ...plain }), String.raw`{"text":"x \u0061bc \u00`);
  expect(found).not.toBeNull();
});

test('lines that cannot match are passed over without being decoded', () => {
  const bytes = Buffer.from('{"text":"\\u001b[31m red \\u00e9"}\n'.repeat(3));
  expect(matcherOf({ text: 'green', ...plain }).candidates(bytes)(0)).toBe(-1);
});

test('candidates are found in order, each once, be they plain or escaped', () => {
  const bytes = Buffer.from('a needle\n{"t":"\\u006eeedle"}\nnothing\na needle\n');
  const next = matcherOf({ text: 'needle', ...plain }).candidates(bytes);
  const first = next(0);
  const second = next(bytes.indexOf('\n', first) + 1);
  const third = next(bytes.indexOf('\n', second) + 1);
  expect([first, second, third]).toEqual([2, bytes.indexOf('\\u'), bytes.lastIndexOf('needle')]);
  expect(next(bytes.length)).toBe(-1);
});

describe('without regard to case', () => {
  test.each([
    ['Needle', 'a NEEDLE'],
    ['NEEDLE', String.raw`{"t":"\u006eeedle"}`],
    ['größe', 'GRÖSSE oder GRÖßE'],
    ['a.b', 'A.B'],
  ])('%s is found in %s', (text, line) => {
    const matcher = matcherOf({ text, regex: false, ignoreCase: true });
    expect(matcher.candidates(Buffer.from(line))(0)).not.toBe(-1);
    expect(findInEvent(matcher, line)).not.toBeNull();
  });

  test('a text is still no pattern', () => {
    expect(findInEvent(matcherOf({ text: 'a.b', regex: false, ignoreCase: true }), 'axb')).toBeNull();
  });
});

describe('a regular expression', () => {
  const matcher = matcherOf({ text: '^second \\p{L}+$', regex: true, ignoreCase: false });

  test('sees the lines of a text', () => {
    const found = findInEvent(matcher, JSON.stringify({ text: 'first\nsecond straße\nthird' }));
    expect(found?.text.slice(found.start, found.end)).toBe('second straße');
  });

  test('is given every line', () => {
    const next = matcher.candidates(Buffer.from('a\nb\n'));
    expect([next(0), next(2), next(4)]).toEqual([0, 2, -1]);
  });
});
