import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOutcome, recordAttempt } from '../../workspaces/records/attempts.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { openStep } from '../../workspaces/records/steps.ts';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { lostAttempt } from '../support/records.ts';

const folder = tempFolder('record-attempt');
const lost = lostAttempt();

test("a lost attempt's private HOME goes with the login in it, however it was locked, and its record stays", async () => {
  const run = runPaths(folder, 'run');
  const { home } = openStep(attemptPaths(run, 1, 1));
  mkdirSync(path.join(home, '.claude'));
  writeFileSync(path.join(home, '.claude', '.credentials.json'), 'a login');
  mkdirSync(path.join(home, 'locked'), { mode: 0o000 });
  await recordAttempt(run, lost);
  expect(existsSync(home)).toBe(false);
  expect(await readOutcome(run, 1, 1)).toEqual(lost);
  expect(await readAttempts(run)).toMatchObject([{ round: 1, attempt: 1, outcome: 'worker-lost' }]);
});
