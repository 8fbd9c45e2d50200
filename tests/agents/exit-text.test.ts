import { exitText } from '../../agents/faults/faults.ts';

const said = (stderrTail: string): string =>
  exitText('the command', { exit: { code: 1, signal: null }, stderrTail, ended: false });

test('what a program said begins with the line that names its error, not in the middle of one', () => {
  const stack = Array.from({ length: 12 }, (_, i) => `    at load (node:internal/modules/cjs/loader:12${i}:15)`);
  const node = [
    'node:internal/modules/cjs/loader:1210',
    '  throw err;',
    '  ^',
    '',
    "Error: Cannot find module '/a.mjs'",
    ...stack,
  ];
  expect(said(node.join('\n'))).toMatch(
    /^the command ended with exit code 1: Error: Cannot find module '\/a\.mjs' at load/,
  );
  const lines = Array.from({ length: 40 }, (_, i) => `step ${i} is done`);
  expect(said(lines.join('\n'))).toMatch(/^the command ended with exit code 1: step \d+ is done .* step 39 is done$/);
  expect(said('x'.repeat(900))).toMatch(/: x+$/);
  expect(said('')).toBe('the command ended with exit code 1');
});
