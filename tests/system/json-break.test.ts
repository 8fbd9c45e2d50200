import { jsonBreak } from '../../system/json-break.ts';

test.each([
  ['{\n  "a": 1,\n}', 'line 3, column 1: } where a key in double quotes is expected'],
  ['{"a": 1 "b": 2}', 'line 1, column 9: "b" where "," or the end is expected'],
  ["{'a': 1}", `line 1, column 2: 'a' is no JSON`],
  ['{"a": yes}', 'line 1, column 7: yes is no JSON'],
  ['{"a"\n 1}', 'line 2, column 2: 1 where ":" after the key is expected'],
  ['[1, 2', 'line 1, column 6: it ends where "]" is expected'],
  ['[1}', 'line 1, column 3: } where "," or the end is expected'],
  ['', 'line 1, column 1: it ends where a value is expected'],
  ['{} // more', 'line 1, column 4: // more is a comment, which JSON does not have'],
  ['{"a": 01}', 'line 1, column 8: 1 where "," or the end is expected'],
  ['{"a": "b\nc"}', 'line 1, column 7: "b is a text without its end'],
])('%j: says where it stops being JSON', (text, told) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(jsonBreak(text)).toBe(told);
});

test.each(['{}', '[]', ' 1e5 ', '{"a":[1,{"b":null}],"c":"\\u00e9\\n"}', '[[[[]]],{}]', '-0.5', 'true'])(
  'takes what JSON.parse takes: %j',
  (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(jsonBreak(text)).toBeNull();
  },
);

test('a file of brackets is told of without a place, and costs nothing else', () => {
  expect(jsonBreak('['.repeat(65_000))).toBeNull();
});
