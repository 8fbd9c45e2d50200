import { type AttemptLine, outcomeOf, roundRows } from '../../../client/view/round-rows.ts';
import type { EndedRound, RoundRow } from '../../../client/view/round-view.ts';
import type { RoundProgress } from '../../../schemas/round/round-progress.ts';

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
  counters: null,
};

const rows = (lines: readonly AttemptLine[], now: RoundProgress | null = null): RoundRow[] =>
  roundRows(lines, { progress: now, verdictOn: () => ({ kind: 'pending' }) });
const ended = (lines: readonly AttemptLine[]): EndedRound[] =>
  rows(lines).flatMap((row) => (row.kind === 'ended' ? [row] : []));

test('a round of several attempts is one row: its last outcome, the time from first to last, sums of the rest', () => {
  const [row, ...others] = rows([line(1, 2), line(1, 1, { outcome: 'agent-crashed' })]);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    round: 1,
    attempts: 2,
    outcome: { kind: 'continue' },
    durationMs: 15_000,
    costUsd: { kind: 'known', amount: 1, estimated: false },
    tokens: { kind: 'known', amount: 30, estimated: false },
    usage: { inputTokens: 20, outputTokens: 10 },
    changes: { insertions: 4, deletions: 2 },
  });
});

const notReported = { usage: null, costUsd: null };

test('what no attempt reported is unknown; what one did not report makes the sum of the others a least', () => {
  const [none] = rows([line(1, 1, notReported), line(1, 2, notReported)]);
  expect(none).toMatchObject({ usage: null, tokens: { kind: 'unknown' }, costUsd: { kind: 'unknown' } });
  const [one] = rows([line(1, 1, notReported), line(1, 2)]);
  expect(one).toMatchObject({ usage: null, tokens: { kind: 'known', amount: 15, estimated: false, unreported: 1 } });
});

test('an attempt that failed before it reported its use is likely to have used what the rounds before did', () => {
  const [, row] = rows([line(1, 1), line(2, 1, { ...notReported, outcome: 'agent-crashed' })]);
  expect(row).toMatchObject({ tokens: { kind: 'known', amount: 15, estimated: true, unreported: 0 } });
});

test('only a cost by the price table is an estimate, not the tokens beside it', () => {
  expect(rows([line(1, 1, { costEstimated: true })])[0]).toMatchObject({
    costUsd: { estimated: true },
    tokens: { estimated: false },
  });
});

test('of an attempt that was ended before it reported a round is likely to have used what those before did', () => {
  const silent = { usage: null, costUsd: null };
  const lost = line(2, 1, { outcome: 'worker-lost', ...silent });
  const three = ended([line(1, 1), line(2, 2), lost, line(3, 1, silent)]);
  expect(three.map(({ interrupted }) => interrupted)).toEqual([0, 1, 0]);
  expect(three.map(({ tokens }) => tokens)).toEqual([
    { kind: 'known', amount: 15, estimated: false, unreported: 0 },
    { kind: 'known', amount: 30, estimated: true, unreported: 0 },
    { kind: 'unknown' },
  ]);
  expect(ended([lost])[0]).toMatchObject({ tokens: { kind: 'unknown' } });
});

test('the current round is a row, with the commit that an earlier attempt left', () => {
  const two = rows([line(1, 1), line(2, 1, { outcome: 'worker-lost', commit: 'd'.repeat(40) })], progress);
  expect(two.map(({ round, kind, attempts }) => [round, kind, attempts])).toEqual([
    [1, 'ended', 1],
    [2, 'running', 2],
  ]);
  expect(two[1]).toMatchObject({ commit: 'd'.repeat(40), doing: 'editing' });
});

test('a heartbeat that is older than the end of its attempt changes nothing', () => {
  expect(rows([line(2, 2)], progress)[0]).toMatchObject({ kind: 'ended', outcome: { kind: 'continue' } });
});

test('the word in the ledger tells a report, a fault and an interruption apart, also a fault of a newer version', () => {
  const pending = { kind: 'pending' } as const;
  expect(outcomeOf('complete', pending)).toEqual({ kind: 'complete', verdict: pending });
  expect(outcomeOf('worker-lost', pending)).toEqual({ kind: 'interrupted', by: 'worker-lost' });
  expect(outcomeOf('agent-tired', pending)).toEqual({ kind: 'fault', code: 'agent-tired' });
});
