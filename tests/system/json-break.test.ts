import { jsonBreak } from '../../system/json-break.ts';

test.each([
  ['{\n  "a": 1,\n}', 'line 3, column 1: } where a key in double quotes is expected'],
  ['{"a": 1 "b": 2}', 'line 1, column 9: "b" where "," or "}" is expected'],
  ["{'a': 1}", `line 1, column 2: 'a' where a key in double quotes or "}" is expected`],
  ['{"a": yes}', 'line 1, column 7: yes where a value is expected'],
  ['{"a"\n 1}', 'line 2, column 2: 1 where ":" after the key is expected'],
  ['[1, 2', 'line 1, column 6: it ends where "," or "]" is expected'],
  ['[1}', 'line 1, column 3: } where "," or "]" is expected'],
  ['', 'line 1, column 1: it ends where a value is expected'],
  ['{} // more', 'line 1, column 4: / where nothing more is expected'],
  ['{"a": 01}', 'line 1, column 7: 01 where a value is expected'],
  ['{"a": "b\nc"}', 'line 1, column 7: "b where a value is expected'],
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

test('a file of brackets costs no stack', () => {
  expect(jsonBreak('['.repeat(65_000))).toMatch(/column 65001: it ends/);
});
