import { MAX_DEPTH, nestingOf, parseUntrustedJson } from '../../system/untrusted-json.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['"text"', 0],
  ['{}', 1],
  ['[]', 1],
  ['{"a":[1,{"b":2}],"c":[]}', 3],
])('counts the levels of %s', (json, levels) => {
  expect(nestingOf(JSON.parse(json))).toBe(levels);
});

test('takes JSON up to the limit, and no deeper, however deep it is', () => {
  expect(nestingOf(parseUntrustedJson(nested(MAX_DEPTH)))).toBe(MAX_DEPTH);
  expect(() => parseUntrustedJson(nested(MAX_DEPTH + 1))).toThrow(SyntaxError);
  expect(() => parseUntrustedJson(nested(1_000_000))).toThrow('nested 1000000 levels deep; at most 64 are allowed');
});
