import { basename, join } from 'node:path';
import {
  attemptFolder,
  attemptPaths,
  checkPaths,
  numbersOf,
  reviewPaths,
  roundFolder,
  runPaths,
} from '../../workspaces/records/run-paths.ts';

const run = runPaths('/home', 'mend');
const NUMBERS = [10, 9, 2, 1];

test.each([
  ['round', (number: number) => roundFolder(run, number)],
  ['attempt', (number: number) => attemptPaths(run, 1, number).root],
  ['gates', (number: number) => checkPaths(run, 1, number).root],
  ['command', (number: number) => checkPaths(run, 1, 1).step(number).root],
  ['review', (number: number) => reviewPaths(run, 1, number).root],
] as const)('the folder of a %s is found again by its name, in the order of the numbers', (kind, folderOf) => {
  const names = NUMBERS.map((number) => basename(folderOf(number)));
  const others = ['state.json', 'attempt-', 'gates-1.left-0a', 'review-x', 'xstep-1', '-1', ''];
  expect(numbersOf(kind, [...names, ...others])).toEqual([1, 2, 9, 10]);
});

test('the folder of an attempt has one name, whole and below the folder of the run', () => {
  expect(join(run.root, attemptFolder(3, 2))).toBe(attemptPaths(run, 3, 2).root);
  expect(attemptFolder(3, 2)).toBe('rounds/3/attempt-2');
});
