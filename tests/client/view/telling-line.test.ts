import { saysMissing, tellingLine } from '../../../client/view/telling-line.ts';

const NPM = 'npm error A complete log of this run can be found in: /h/.npm/_logs/x-debug-0.log';

test.each([
  [
    'npm error Missing script: "nix"\nnpm error\nnpm error To see a list of scripts, run:\n' + NPM,
    'npm error Missing script: "nix"',
  ],
  ['Unknown command: "tset"\n\nDid you mean this?\n  npm set', 'Unknown command: "tset"'],
  ['sh: 1: nosuchprog: not found', 'sh: 1: nosuchprog: not found'],
  ['bash: line 1: nosuchprog: command not found\n', 'bash: line 1: nosuchprog: command not found'],
  ["make: *** No rule to make target 'chekc'.  Stop.", "make: *** No rule to make target 'chekc'.  Stop."],
  ['error: no such command: `tset`\n\nhelp: view all', 'error: no such command: `tset`'],
])('what says that something is missing is told before the last line: %j', (output, line) => {
  expect(tellingLine(output)).toBe(line);
  expect(saysMissing(line)).toBe(true);
});

const NOTICE = 'npm notice\nnpm notice New major version of npm available! 10.8.2 -> 11.6.2\nnpm notice\n';

test.each([
  [
    `TAP version 13\nok 1 - a\nnot ok 2 - later # TODO\n    not ok 3 - page not found here\n  ---\n  ...\nnot ok 4 - all\n# fail 1\n\n${NPM}\n`,
    'not ok 3 - page not found here',
  ],
  [
    `/w/a.js:1\nthrow new Error('oops');\n^\n\nError: oops\n    at Object.<anonymous> (/w/a.js:1:7)\n\nNode.js v20.20.2\n${NOTICE}`,
    'Error: oops',
  ],
  [
    'Traceback:\n  File "a.py"\njson.decoder.JSONDecodeError: Expecting value\nran 3',
    'json.decoder.JSONDecodeError: Expecting value',
  ],
  [`2 problems\n${NOTICE}`, '2 problems'],
])('then it is a test that failed, or an error, and never what npm notes: %j', (output, line) => {
  expect(tellingLine(output)).toBe(line);
});

test('otherwise it is the last line, bounded, and nothing where nothing was printed', () => {
  expect(tellingLine(`checked 2\n1 is wrong\n\n${NPM}\n`)).toBe('1 is wrong');
  expect(saysMissing('not ok 2 - page not found here')).toBe(false);
  expect(tellingLine('x'.repeat(500))).toHaveLength(200);
  expect(tellingLine(' \n')).toBeNull();
});
