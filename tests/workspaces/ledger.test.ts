import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { readJson, writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { appendLedgerLine, readAttempts, repairLedger } from '../../workspaces/records/ledger.ts';
import { listRuns, readEnding, readRequest } from '../../workspaces/records/runs.ts';
import { attemptPaths, runPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { lostAttempt } from '../support/records.ts';
import { removeTemporaryFolders, shell, temporaryFolder } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const line = (round: number, attempt = 1, summary = 'Did it.'): LedgerLine => ({
  round,
  attempt,
  status: 'valid',
  outcome: 'continue',
  summary,
  commit: null,
  secrets: [],
  changes: null,
  usage: null,
  costUsd: null,
  costEstimated: false,
  agent: null,
  agentMs: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  path: `rounds/${round}/attempt-${attempt}`,
});

async function ledger(): Promise<ReturnType<typeof runPaths>> {
  const paths = runPaths(temporaryFolder(), 'mend');
  await writeJsonAtomically(join(paths.root, 'any.json'), {});
  return paths;
}

test('lines are read back in order, and the file is for its user alone', async () => {
  const paths = await ledger();
  expect(await readAttempts(paths)).toEqual([]);
  await appendLedgerLine(paths, line(1));
  await appendLedgerLine(paths, line(2, 1, 'line\nfeed \u2028 ü'));
  expect(await readAttempts(paths)).toEqual([line(1), line(2, 1, 'line\nfeed \u2028 ü')]);
  expect(statSync(paths.index).mode & 0o777).toBe(0o600);
});

test('a torn last line costs that line alone, also for what is appended after it', async () => {
  const paths = await ledger();
  await appendLedgerLine(paths, line(1));
  await appendLedgerLine(paths, line(2));
  truncateSync(paths.index, statSync(paths.index).size - 20);
  expect(await readAttempts(paths)).toEqual([line(1)]);
  await appendLedgerLine(paths, line(2, 2));
  expect(await readAttempts(paths)).toEqual([line(1), line(2, 2)]);
});

test('an attempt that was written twice counts once, as it was written last; foreign lines do not count', async () => {
  const paths = await ledger();
  await appendLedgerLine(paths, line(1, 1, 'first'));
  appendFileSync(paths.index, '{"round":1}\nnonsense\n\n');
  await appendLedgerLine(paths, line(1, 1, 'second'));
  expect(await readAttempts(paths)).toEqual([line(1, 1, 'second')]);
});

/** Folders of rounds, with an outcome in each but the unrecovered ones. */
async function roundsWithOutcomes(paths: RunPaths, rounds: readonly number[]): Promise<void> {
  for (const round of rounds) await writeJsonAtomically(attemptPaths(paths, round, 1).outcome, lostAttempt({ round }));
}
const rowsOf = ({ index }: RunPaths): number[] =>
  readFileSync(index, 'utf8')
    .split('\n')
    .flatMap((row) => (row === '' ? [] : [z.object({ round: z.int() }).parse(JSON.parse(row)).round]));

test('lines that a kill or a power cut took are written again from the outcomes, in order', async () => {
  const paths = await ledger();
  await roundsWithOutcomes(paths, [1, 2, 3, 4]);
  mkdirSync(attemptPaths(paths, 5, 1).root, { recursive: true });
  await appendLedgerLine(paths, line(1));
  await appendLedgerLine(paths, line(2));
  await repairLedger(paths);
  expect(rowsOf(paths)).toEqual([1, 2, 3, 4]);
  await repairLedger(paths);
  expect(rowsOf(paths)).toEqual([1, 2, 3, 4]);
});

test('a repair reads the end of a ledger alone, however long its lines and itself are', async () => {
  const paths = await ledger();
  const rounds = Array.from({ length: 120 }, (_, i) => i + 1);
  await roundsWithOutcomes(paths, rounds);
  for (const round of rounds) await appendLedgerLine(paths, line(round, 1, 'ü'.repeat(5_000)));
  // Whoever read it would run into this: the first lines are no text any more.
  const text = readFileSync(paths.index);
  writeFileSync(paths.index, Buffer.concat([Buffer.alloc(200_000, 0x78), text.subarray(200_000)]));
  await repairLedger(paths);
  expect(readFileSync(paths.index).length).toBe(text.length);
});

test('a JSON file is replaced as a whole, and leaves no draft behind', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'deep', 'x.json');
  await writeJsonAtomically(file, { a: 1 });
  await Promise.all(Array.from({ length: 20 }, (_, a) => writeJsonAtomically(file, { a })));
  expect(await readJson(file, z.strictObject({ a: z.int() }))).toEqual({ a: expect.any(Number) });
  expect(readdirSync(join(folder, 'deep'))).toEqual(['x.json']);
  expect([statSync(file).mode & 0o777, statSync(join(folder, 'deep')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
});

test('a file that does not hold what it should is an error that names the file', async () => {
  const paths = await ledger();
  for (const text of ['{', '{"runId": 1}']) {
    shell(paths.root, `printf '%s' '${text}' > request.json`);
    await expect(readRequest(paths)).rejects.toThrow(paths.request);
  }
  expect(await readEnding(paths)).toBeNull();
  expect(await readOutcome(paths, 1, 1)).toBeNull();
});

test('runs are listed by their folders, and there are none before the first', async () => {
  const home = temporaryFolder();
  expect(await listRuns(home)).toEqual([]);
  shell(home, 'mkdir -p runs/b runs/a-1 "runs/No Run"; touch runs/file');
  expect(await listRuns(home)).toEqual(['a-1', 'b']);
});

test('a line tells how long the agent ran, which a line of an older engine leaves unknown', async () => {
  const paths = await ledger();
  const outcome = lostAttempt({ agentMs: 59_000 });
  await writeJsonAtomically(attemptPaths(paths, 1, 1).outcome, outcome);
  await repairLedger(paths);
  const { agentMs: _agentMs, ...older } = line(2);
  appendFileSync(paths.index, `${JSON.stringify(older)}\n`);
  expect((await readAttempts(paths)).map(({ agentMs }) => agentMs)).toEqual([59_000, null]);
});
