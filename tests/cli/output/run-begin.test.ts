import { palette } from '../../../cli/terminal/palette.ts';
import { runBegin } from '../../../cli/pages/run-begin.ts';
import { wholeRequest } from '../../support/plain-request.ts';

const begin = (maxRounds: number): string =>
  runBegin(wholeRequest({ limits: { maxRounds } }), palette(false)).join('\n');

test('one round is one round', () => {
  expect(begin(1)).toMatch(/^Budget +at most 1 round$/m);
  expect(begin(12)).toMatch(/^Budget +at most 12 rounds$/m);
});
