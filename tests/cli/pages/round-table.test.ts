import { roundTable } from '../../../cli/pages/round-table.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import type { EndedRound } from '../../../client/view/round-view.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { known } from '../../support/description.ts';
import { claims, noChain, roundRow, runView } from '../../support/run-view.ts';

const table = (run: Partial<RunView>): string[] =>
  roundTable(runView(run), { now: 0, width: null, paint: palette(false) });
const line = (row: Partial<EndedRound>): string => table({ rounds: [roundRow(row)] })[1] ?? '';

test.each([
  ['rejected', 'rejected'],
  ['accepted', 'complete'],
  ['pending', 'claimed'],
] as const)('a completion claim that is %s is shown as %s', (verdict, word) => {
  expect(line({ outcome: claims(verdict) })).toMatch(new RegExp(`^ +1 +${word} `));
});

test('attempts have a column if a round needed more than one', () => {
  expect(table({})[0]).not.toContain('ATTEMPTS');
  const rows = table({ rounds: [roundRow(), roundRow({ round: 2, attempts: 3 })] });
  expect(rows[0]).toMatch(/^ROUND +ATTEMPTS +STATUS/);
  expect(rows[2]).toMatch(/^ +2 +3 +continue /);
});

test('rounds of the runs before come first, with their run, and those that were rolled back are marked', () => {
  const previous = [
    { runId: 'q', status: 'stopped', rounds: [roundRow()], rolledBack: [roundRow({ round: 2 })] },
  ] as const;
  const rows = table({ chain: { ...noChain, previous } });
  expect(rows.slice(1)).toEqual([
    expect.stringMatching(/^q +1 +continue /),
    expect.stringMatching(/^q +2 +continue \(rolled back\) /),
    expect.stringMatching(/^r +1 +continue /),
  ]);
});

test('an estimate is marked, and so is who stood in', () => {
  const row = line({ costUsd: { ...known(1.5), estimated: true }, agents: ['codex'], summary: 'moved 12 calls' });
  expect(row).toMatch(/ ≈\$1\.50 .* \[codex\] moved 12 calls$/);
  expect(line({ costUsd: known(1.5), tokens: { ...known(81_800), estimated: true } })).toMatch(/ ≈81\.8k +\$1\.50 /);
  expect(line({})).toMatch(/ unknown +unknown /);
});
