import { roundTable } from '../../../cli/pages/round-table.ts';
import { palette } from '../../../cli/terminal/palette.ts';
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

test('a claim that the run before left open is shown as the run that checked it found it', () => {
  const before = { runId: 'q', status: 'stopped', rounds: [roundRow({ status: 'complete' })], rolledBack: [] } as const;
  const claimOf = { runId: 'q', round: 1 };
  const found = {
    kind: 'gates',
    round: 0,
    claimOf,
    number: 1,
    reasons: [],
    gates: [],
    startedAt: null,
    endedAt: null,
  } as const;
  const first = (more: Parameters<typeof runView>[0]): string =>
    roundTable(runView({ earlier: [before], ...more }), { now: 0, width: null, paint: palette(false) })[1] ?? '';
  expect(first({ rounds: [], status: 'checking' })).toMatch(/^q +1 +1 +claimed /);
  expect(first({ rounds: [], status: 'complete', checks: [{ ...found, result: 'passed' }] })).toMatch(/ 1 +complete /);
  const between = { ...before, runId: 'q-2', rounds: [] };
  const after = { rounds: [], status: 'complete', earlier: [before, between] } as const;
  expect(first({ ...after, checks: [{ ...found, result: 'passed' }] })).toMatch(/ 1 +complete /);
  expect(first({ checks: [{ ...found, result: 'refused' }] })).toMatch(/ 1 +refused /);
});

test('a cost by the price table is marked, and so is who stood in', () => {
  const row = line({ costUsd: 1.5, costEstimated: true, agents: ['codex'], summary: 'moved 12 calls' });
  expect(row).toMatch(/ ≈\$1\.50 .* \[codex\] moved 12 calls$/);
  expect(line({ costUsd: 1.5 })).toMatch(/ \$1\.50 /);
});

test('of a round with an attempt that was ended before it told, the table has about what the sums count', () => {
  const lost = { usage: null, costUsd: null, likelyTokens: 81_800, likelyCostUsd: 0.25 };
  expect(line(lost)).toMatch(/ ≈81\.8k +≈\$0\.25 /);
  expect(line({ ...lost, likelyTokens: null, likelyCostUsd: null })).toMatch(/ unknown +unknown /);
});
