import { saysMissing, tellingLine } from '../../client/telling-line.ts';

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

test('otherwise it is the last line, bounded, and nothing where nothing was printed', () => {
  expect(tellingLine(`ok 1\nnot ok 2 - page not found here\n# fail 1\n\n${NPM}\n`)).toBe('# fail 1');
  expect(saysMissing('not ok 2 - page not found here')).toBe(false);
  expect(tellingLine('x'.repeat(500))).toHaveLength(200);
  expect(tellingLine(' \n')).toBeNull();
});
