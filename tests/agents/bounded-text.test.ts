import { LineSplitter } from '../../agents/output/agent-output.ts';
import { oneLine, TextTail } from '../../agents/output/bounded-text.ts';

test('lines are cut at newlines only, across chunks and inside characters', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter(100, (line) => lines.push(line));
  for (const byte of Buffer.from('ä😀\r\n\nb\u2028c\nend')) splitter.add(Buffer.from([byte]));
  splitter.end();
  expect(lines).toEqual(['ä😀', 'b\u2028c', 'end']);
});

test('a line over the limit is left out whole, the next one is whole again', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter(10, (line) => lines.push(line));
  splitter.add(Buffer.from('12345678901\n1234567890\nxxxxx'));
  splitter.add(Buffer.from('xxxxxxxx'));
  splitter.add(Buffer.from('\nok\n'));
  splitter.end();
  expect(lines).toEqual(['1234567890', 'ok']);
});

test('one line has no control characters, and is cut with a mark but never inside a character', () => {
  expect(oneLine(' a\r\n\u001b[31mb\t\u202ec\u0000 ', 100)).toBe('a [31mb c');
  expect(oneLine('abcdef', 4)).toBe('abc…');
  expect(oneLine('ab😀def', 4)).toBe('ab…');
});

test('the tail of a text is its end, with a mark where its beginning was cut', () => {
  const tail = new TextTail(20);
  for (let i = 0; i < 1_000; i += 1) tail.add(`${i} `);
  const text = tail.text() ?? '';
  expect(text.startsWith('[… cut] ')).toBe(true);
  expect(text.endsWith('998 999')).toBe(true);
  expect(text.length).toBeLessThanOrEqual(20);
  expect(new TextTail(5).text()).toBeNull();
});
