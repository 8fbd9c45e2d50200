import { roundTable } from '../../../cli/output/round-table.ts';
import { palette } from '../../../cli/output/palette.ts';
import { roundRow, runView } from '../support/run-view.ts';

const line = (row: Parameters<typeof roundRow>[0], run: Parameters<typeof runView>[0] = {}): string =>
  roundTable(runView({ rounds: [roundRow(row)], ...run }), { now: 0, width: null, paint: palette(false) })[1] ?? '';

test('a claim of completion that was refused is shown as refused, and one that stood as complete', () => {
  expect(line({ status: 'complete', refused: 'gate "npm test" ended with exit code 1' })).toMatch(/^ +1 +1 +refused /);
  expect(line({ status: 'complete' }, { status: 'complete' })).toMatch(/^ +1 +1 +complete /);
});

test.each(['paused', 'checking', 'round-failed', 'stopped', 'cancelled'] as const)(
  'a claim that nothing has judged is no completion: of a run that is %s it is claimed',
  (status) => {
    expect(line({ status: 'complete' }, { status })).toMatch(/^ +1 +1 +claimed /);
  },
);

test('a cost by the price table is marked, and so is who stood in', () => {
  const row = line({ costUsd: 1.5, costEstimated: true, agents: ['codex'], summary: 'moved 12 calls' });
  expect(row).toMatch(/ ≈\$1\.50 .* \[codex\] moved 12 calls$/);
  expect(line({ costUsd: 1.5 })).toMatch(/ \$1\.50 /);
});
