import { printable, printableLine } from '../../system/printable.ts';

test('escape sequences of agents are taken out whole, and no control character is left', () => {
  const hostile =
    '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\ \u009b2J\b\u0000x';
  const shown = printable(hostile);
  expect(shown).toContain('red');
  expect(shown).toContain('link');
  expect(Array.from(shown).filter((char) => /\p{Cc}/u.test(char))).toEqual([]);
  expect(shown).not.toContain('[31m');
});

test('an escape sequence that a removal would put together is not one either', () => {
  expect(printable('\u001b\u001b[0m[31mx')).not.toContain('\u001b');
});

test('no word is taken out with a sequence: what a terminal would hide is there to read', () => {
  expect(printable('a \u001b[31mHIDDEN\u0007 b')).toBe('a HIDDEN b');
  expect(printable('a \u001b[31m red \u001b[0m b \u0007 c')).toBe('a  red  b  c');
  expect(printable('\u001b]0;rm -rf\u0007 \u001bPwords\u001b\\')).toBe(']0;rm -rf Pwords\\');
  expect(printable('\u001b(B\u001b[m\u001b[?25l\u001b[2Kplain')).toBe('plain');
});

test('marks that turn the reading order round are taken out', () => {
  expect(printable('a\u202ecod.exe\u2066b')).toBe('acod.exeb');
});

test('lines and tabs stay; a carriage return begins a line and overwrites nothing', () => {
  expect(printable('a\tb\r\nc\rd\n')).toBe('a\tb\nc\nd\n');
});

test('in one line all white space is one space', () => {
  expect(printableLine('  a\n\n b\tc\r\n')).toBe('a b c');
});

test('text in other scripts and emoji stay as they are', () => {
  expect(printable('żółć 漢字 👩‍👩‍👧 é')).toBe('żółć 漢字 👩‍👩‍👧 é');
});
