import { readFinalMessage } from '../../agents/output/final-message.ts';
import { reportContract } from '../../agents/output/output-contract.ts';
import { repeatedKey } from '../../agents/output/submitted-report.ts';
import { growth, LINEAR } from '../support/growth.ts';

test.each([
  ['{"status":"continue","status":"complete"}', 'status'],
  ['{"status":"continue", "st\\u0061tus" : "complete"}', 'status'],
  ['{"a":{"b":1,"c":[{"d":1}],"b":2}}', 'b'],
  ['[{"a":1},{"a":1,"a":2}]', 'a'],
  ['{"a\\"":1,"b":":","a\\"":2}', 'a"'],
  ['{"":1,"":2}', ''],
  ['{"a":"{\\"a\\":","b":"a","c":["a","a"],"d":{"a":1}}', null],
  ['{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}', null],
  ['"a"', null],
])('in %s the repeated key is %j', (json, key) => {
  JSON.parse(json);
  expect(repeatedKey(json)).toBe(key);
});

test.each([
  ['text', (n: number) => `{"a":"${'\\"x'.repeat(n)}","a":1}`, 'a'],
  ['keys', (n: number) => `{${Array.from({ length: n }, (_, at) => `"${at}":"\\\\\\""`).join(',')},"0":1}`, '0'],
  ['depth', (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`, null],
])('the search for a repeated key costs in proportion to the %s', (_what, json, key) => {
  const look = (size: number) => repeatedKey(json(size));
  expect(look(500_000)).toBe(key);
  expect(growth(look, 10_000)).toBeLessThan(LINEAR);
});

const twice = '{"status":"continue","summary":"s","evidence":["e"],"nextSteps":[],"blocker":"","status":"complete"}';

test.each([
  ['alone', twice],
  ['in a fence', `Done.\n\`\`\`json\n${twice}\n\`\`\``],
  ['after words', `Done: ${twice}`],
])('a report with a key twice, %s in the final message, is refused by the name of the key', (_, message) => {
  expect(readFinalMessage(message, reportContract).report).toEqual({
    kind: 'fault',
    fault: { code: 'report-invalid', message: 'the report has "status" twice', resetAt: null },
  });
});
