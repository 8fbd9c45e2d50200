import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runStats } from '../../../client/stats/run-stats.ts';
import type { LedgerLine } from '../../../schemas/run/ledger.ts';
import type { RunRequest } from '../../../schemas/run/run.ts';
import { nothingSpent } from '../../../schemas/budget/budget.ts';
import { recordRun } from '../../cli/support/recorded-run.ts';
import { plainGate, plainReceipt } from '../../support/records.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const all = tempFolder('stats');
const emptyHome = (): string => mkdtempSync(path.join(all, 'home-'));
const START = new Date(2026, 0, 5, 9).getTime();
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

const line = (round: number, more: Partial<LedgerLine> = {}): LedgerLine => ({
  round,
  attempt: 1,
  status: 'valid',
  outcome: 'continue',
  summary: '',
  commit: null,
  changes: { files: 1, insertions: 30, deletions: 10 },
  secrets: [],
  usage: { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 100, cacheReadTokens: 800 },
  costUsd: 0.5,
  costEstimated: false,
  agent: 'claude-code (opus)',
  agentMs: 59_000,
  startedAt: at(round * 10),
  endedAt: at(round * 10 + 1),
  path: '',
  ...more,
});
const lost = { outcome: 'worker-lost', usage: null, costUsd: null, agentMs: null, agent: null, changes: null } as const;

/** A run with this ledger. `request`: what of it matters; `waitMs`: null: its end does not tell. */
async function record(
  home: string,
  runId: string,
  lines: readonly LedgerLine[],
  { request = {}, waitMs = 0 }: { request?: Partial<RunRequest>; waitMs?: number | null } = {},
): Promise<(...names: string[]) => string> {
  const plain = { objective: 'Paint', summary: '', transcript: '', rounds: 0, ended: false };
  await recordRun({ home, runId, ...plain });
  const file = (...names: string[]): string => path.join(home, 'runs', runId, ...names);
  const { readFile } = await import('node:fs/promises');
  const asked = { ...JSON.parse(await readFile(file('request.json'), 'utf8')), requestedAt: at(0), ...request };
  writeFileSync(file('request.json'), JSON.stringify(asked));
  writeFileSync(file('index.jsonl'), lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const spent = waitMs === null ? null : { ...nothingSpent, waitMs };
  const ending = { ending: { status: 'cancelled', reason: null }, receipt: null, spent, endedAt: at(900) };
  writeFileSync(file('ending.json'), JSON.stringify(ending));
  return file;
}

function check(file: (...names: string[]) => string, round: number, exitCode: number, minutes = 2): void {
  mkdirSync(file('rounds', String(round), 'gates-1'), { recursive: true });
  const gates = [plainGate({ exitCode })];
  const took = { startedAt: at(round * 10 + 1), endedAt: at(round * 10 + 1 + minutes) };
  writeFileSync(
    file('rounds', String(round), 'gates-1', 'check.json'),
    JSON.stringify({ kind: 'checked', round, check: 1, commit: 'c', gates, protectedPaths: [], ...took }),
  );
}

const everything = { runId: null, sinceMs: null };
const exactly = (amount: number) => ({ kind: 'known', amount, estimated: false, unreported: 0 });
const gates = [{ command: 'npm test', timeoutMs: 1_000 }];

test('no runs at all have used nothing, and what a share of nothing is, is not known', async () => {
  const stats = await runStats(emptyHome(), everything);
  expect(stats).toMatchObject({ runs: 0, rounds: 0, agents: [], days: [], purposes: [], unread: [] });
  expect(stats.total).toMatchObject({ count: 0, tokens: exactly(0), costUsd: exactly(0), cacheShare: null });
  expect(stats).toMatchObject({ linesPerUsd: { kind: 'unknown' }, overhead: { medianMs: null } });
});

test('tokens, cost, time and cache hits are summed by agent, model and day', async () => {
  const home = emptyHome();
  await record(home, 'a', [
    line(1),
    line(2, { agent: 'codex', costEstimated: true, startedAt: at(1_500), endedAt: at(1_501) }),
  ]);
  await record(home, 'b', [line(1)]);
  const { total, agents, days, runs, rounds } = await runStats(home, everything);
  expect([runs, rounds]).toEqual([2, 3]);
  expect(total).toMatchObject({
    count: 3,
    tokens: exactly(660),
    costUsd: { ...exactly(1.5), estimated: true },
    timeMs: exactly(180_000),
    usage: { inputTokens: 300, outputTokens: 60, cacheWriteTokens: 300, cacheReadTokens: 2_400 },
    cacheShare: 0.8,
    lines: { insertions: 90, deletions: 30 },
  });
  expect(agents.map(({ agent, model, count, costUsd }) => [agent, model, count, costUsd])).toEqual([
    ['claude-code', 'opus', 2, exactly(1)],
    ['codex', null, 1, { ...exactly(0.5), estimated: true }],
  ]);
  expect(days.map(({ day, count }) => [day, count])).toEqual([
    ['2026-01-05', 2],
    ['2026-01-06', 1],
  ]);
});

test('what is not reported is counted as unknown, never as 0', async () => {
  const home = emptyHome();
  await record(home, 'a', [line(1), line(2, { usage: null, costUsd: null }), line(3, lost)]);
  const { total, purposes, linesPerUsd, overhead } = await runStats(home, everything);
  expect(total).toMatchObject({
    tokens: { kind: 'known', amount: 220, unreported: 2 },
    costUsd: { kind: 'known', amount: 0.5, unreported: 2 },
    timeMs: { kind: 'known', amount: 120_000, unreported: 1 },
  });
  const interrupted = purposes.find(({ purpose }) => purpose === 'interrupted');
  const unknown = { kind: 'unknown' };
  expect(interrupted).toMatchObject({ count: 1, tokens: unknown, costUsd: unknown, timeMs: unknown, usage: null });
  expect(linesPerUsd).toEqual({ kind: 'known', amount: 80, attempts: 1, of: 3 });
  expect(overhead).toEqual({ medianMs: 1_000, totalMs: { ...exactly(2_000), unreported: 1 } });
});

test('an agent that was never started used nothing', async () => {
  const home = emptyHome();
  await record(home, 'a', [line(1, { outcome: 'cancelled', usage: null, costUsd: null, agentMs: 0 })]);
  expect((await runStats(home, everything)).total).toMatchObject({ tokens: exactly(0), costUsd: exactly(0) });
});

test('who made an attempt is unknown only where it may have been two', async () => {
  const home = emptyHome();
  await record(home, 'a', [line(1, lost)]);
  const fallbackAgent = { provider: 'codex', command: null, model: null } as const;
  await record(home, 'b', [line(1, lost)], { request: { fallbackAgent } });
  const { agents } = await runStats(home, everything);
  expect(new Set(agents.map(({ agent }) => agent))).toEqual(new Set(['command', null]));
});

test('each attempt is told by what became of it; reviews and gates stand apart', async () => {
  const home = emptyHome();
  const reviewer = { provider: 'claude-code', command: null, model: 'haiku' } as const;
  const file = await record(
    home,
    'a',
    [
      line(1, { outcome: 'complete' }),
      line(2, { outcome: 'rate-limited' }),
      line(2, { attempt: 2 }),
      line(3, lost),
      line(4, { outcome: 'complete' }),
      line(5, { status: 'void' }),
    ],
    { request: { gates, reviewer } },
  );
  check(file, 1, 1);
  check(file, 4, 0);
  mkdirSync(file('rounds', '4', 'review-1'));
  const review = {
    kind: 'reviewed',
    round: 4,
    attempt: 1,
    startedAt: at(45),
    endedAt: at(46),
    agentMs: 1,
    usage: null,
    costUsd: 0.25,
    costEstimated: false,
    sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
    receipt: plainReceipt(),
    review: { decision: 'accept', reasons: [] },
  };
  writeFileSync(file('rounds', '4', 'review-1', 'outcome.json'), JSON.stringify(review));
  const { purposes, agents, rounds } = await runStats(home, everything);
  expect(purposes.map(({ purpose, count, costUsd }) => [purpose, count, costUsd])).toEqual([
    ['kept', 2, exactly(1)],
    ['rejected', 1, exactly(0.5)],
    ['failed', 1, exactly(0.5)],
    ['interrupted', 1, { kind: 'unknown' }],
    ['rolled-back', 1, exactly(0.5)],
    ['reviews', 1, exactly(0.25)],
    ['gates', 2, exactly(0)],
  ]);
  expect(purposes.find(({ purpose }) => purpose === 'gates')).toMatchObject({ timeMs: exactly(240_000), usage: null });
  expect(agents).toContainEqual(expect.objectContaining({ agent: 'claude-code', model: 'haiku', count: 1 }));
  expect(rounds).toBe(5);
});

test('a claim that the next run rejects was rejected, also if only the first run is asked for', async () => {
  const home = emptyHome();
  await record(home, 'a', [line(1, { outcome: 'complete' })]);
  const previous = { runId: 'a', root: 'a', commit: 'a'.repeat(40), pending: { runId: 'a', round: 1 } };
  const file = await record(home, 'a-2', [], { request: { gates, previous } });
  check(file, 0, 1);
  for (const runId of [null, 'a']) {
    const { purposes } = await runStats(home, { runId, sinceMs: null });
    expect(purposes[0]).toMatchObject({ purpose: 'rejected', count: 1 });
  }
  expect((await runStats(home, { runId: 'a', sinceMs: null })).total.count).toBe(1);
});

test('waits are summed, and of a run that does not tell they are unknown', async () => {
  const home = emptyHome();
  await record(home, 'a', [line(1)], { waitMs: 5_000 });
  await record(home, 'b', [line(1)], { waitMs: null });
  expect((await runStats(home, everything)).waitMs).toEqual({ ...exactly(5_000), unreported: 1 });
});

test('only what began since a time counts; of a run that began before it is unknown how long it waited since', async () => {
  const home = emptyHome();
  await record(home, 'old', [line(1), line(2)], { waitMs: 5_000 });
  await record(home, 'idle', [line(1)], { waitMs: 5_000 });
  await record(home, 'new', [line(3)], { request: { requestedAt: at(16) }, waitMs: 1_000 });
  const stats = await runStats(home, { runId: null, sinceMs: Date.parse(at(15)) });
  expect(stats).toMatchObject({ since: at(15), runs: 2, rounds: 2, waitMs: { ...exactly(1_000), unreported: 1 } });
});

test('an unknown run is refused, whatever its id holds', async () => {
  const home = emptyHome();
  await record(home, 'first', [line(1)]);
  for (const runId of ['firs', '../runs/first']) {
    await expect(runStats(home, { runId, sinceMs: null })).rejects.toMatchObject({ code: 'no-such-run' });
  }
});

test('what cannot be read is named, and the rest is counted', async () => {
  const home = emptyHome();
  const damaged = await record(home, 'damaged', [line(1)]);
  writeFileSync(damaged('request.json'), '{"runId":');
  const missing = await record(home, 'missing', [line(1)]);
  rmSync(missing('request.json'));
  const torn = await record(home, 'torn', [line(1)], { request: { gates } });
  writeFileSync(torn('index.jsonl'), `${JSON.stringify(line(1))}\n{"round":2,`);
  mkdirSync(torn('rounds', '1', 'gates-1'), { recursive: true });
  writeFileSync(torn('rounds', '1', 'gates-1', 'check.json'), '[]');
  mkdirSync(path.join(home, 'runs', 'empty'));
  writeFileSync(path.join(home, 'runs', 'stray'), '');
  const { unread, purposes } = await runStats(home, everything);
  expect(unread).toEqual([
    { runId: 'damaged', problem: `${damaged('request.json')} does not hold what it should` },
    { runId: 'missing', problem: `${missing('request.json')} is missing` },
    { runId: 'torn', problem: `${torn('rounds', '1', 'gates-1', 'check.json')} does not hold what it should` },
  ]);
  expect(purposes[0]).toMatchObject({ purpose: 'kept', count: 3 });
});
