import { MAX_DEPTH, nestingOf, parseUntrustedJson, parseUntrustedSettings } from '../../system/untrusted-json.ts';

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

test('settings may hold comments and trailing commas, and are rejected if they break off or are nested too deep', () => {
  expect(parseUntrustedSettings('// a\n{ "url": "http://a", /* b */ "list": [1, ], }')).toEqual({
    url: 'http://a',
    list: [1],
  });
  expect(() => parseUntrustedSettings('{ "a": ')).toThrow(SyntaxError);
  expect(() => parseUntrustedSettings(nested(MAX_DEPTH + 1))).toThrow(SyntaxError);
  expect(() => parseUntrustedSettings(nested(500_000))).toThrow(SyntaxError);
  // A parser that looks for the end of each again would need days.
  expect(() => parseUntrustedSettings('/*'.repeat(500_000))).toThrow(SyntaxError);
});
