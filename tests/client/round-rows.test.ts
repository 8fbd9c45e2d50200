import { roundRows } from '../../client/view/round-rows.ts';
import type { AttemptLine } from '../../client/view/run-view.ts';
import type { RoundProgress } from '../../schemas/round/round-input.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
const line = (round: number, attempt: number, more: Partial<AttemptLine> = {}): AttemptLine => ({
  round,
  attempt,
  outcome: 'continue',
  summary: `round ${round}`,
  commit: 'c'.repeat(40),
  changes: { files: 1, insertions: 2, deletions: 1 },
  secrets: [],
  usage: { inputTokens: 10, outputTokens: 5, cacheWriteTokens: 0, cacheReadTokens: 1 },
  costUsd: 0.5,
  costEstimated: false,
  agent: null,
  startedAt: at(round * 100 + attempt * 10),
  endedAt: at(round * 100 + attempt * 10 + 5),
  ...more,
});
const progress: RoundProgress = {
  round: 2,
  attempt: 2,
  phase: 'agent',
  startedAt: at(300),
  activity: 'editing',
  tokens: 7,
};

test('a round of several attempts is one row: its last status, the time from first to last, sums of the rest', () => {
  const [row, ...others] = roundRows([line(1, 2), line(1, 1, { outcome: 'agent-crashed' })], null);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    round: 1,
    attempts: 2,
    status: 'continue',
    durationMs: 15_000,
    costUsd: 1,
    usage: { inputTokens: 20, outputTokens: 10 },
    changes: { insertions: 4, deletions: 2 },
  });
});

test('what one attempt does not know, the round does not know', () => {
  const [row] = roundRows([line(1, 1, { usage: null, costUsd: null }), line(1, 2)], null);
  expect(row).toMatchObject({ usage: null, costUsd: null });
});

test('of an attempt that was ended before it told a round is likely to have used what those before did', () => {
  const untold = { usage: null, costUsd: null };
  const lost = line(2, 1, { outcome: 'worker-lost', ...untold });
  const rows = roundRows([line(1, 1), line(2, 2), lost, line(3, 1, untold)], null);
  expect(rows.map(({ interrupted }) => interrupted)).toEqual([0, 1, 0]);
  expect(rows.map(({ likelyTokens, likelyCostUsd }) => [likelyTokens, likelyCostUsd])).toEqual([
    [null, null],
    [30, 1],
    [null, null],
  ]);
  expect(roundRows([lost], null)[0]).toMatchObject({ likelyTokens: null });
});

test('the round under way is a row, with the commit that an earlier attempt left', () => {
  const rows = roundRows([line(1, 1), line(2, 1, { outcome: 'worker-lost', commit: 'd'.repeat(40) })], progress);
  expect(rows.map(({ round, status, attempts }) => [round, status, attempts])).toEqual([
    [1, 'continue', 1],
    [2, 'running', 2],
  ]);
  expect(rows[1]).toMatchObject({ commit: 'd'.repeat(40), endedAt: null, durationMs: null, summary: 'editing' });
});

test('a heartbeat that is older than the end of its attempt changes nothing', () => {
  expect(roundRows([line(2, 2)], progress)[0]).toMatchObject({ status: 'continue', endedAt: expect.any(String) });
});
