import { open, type FileHandle } from 'node:fs/promises';
import { LedgerLine } from '../../schemas/run/ledger.ts';
import { outcomeInWords } from '../../schemas/round/outcome-in-words.ts';
import { AttemptOutcome } from '../../schemas/round/round.ts';
import { parseRecord } from '../../schemas/text/parse-record.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { errorCode } from '../../system/error-code.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { writeTextAtomically } from '../../system/write-atomically.ts';
import { readJson } from './json-file.ts';
import { attemptFolder, attemptPaths, type RunPaths } from './run-paths.ts';
import { attemptsAt, roundsBegun } from './steps.ts';

const MAX_SUMMARY_CHARS = 200;
const CHUNK_BYTES = 16 * 1024;

/** The ledger's line of an attempt that ended. */
export function ledgerLine(outcome: AttemptOutcome): LedgerLine {
  const { round, attempt, checkpoint, usage, costUsd, costEstimated, agent, agentMs, startedAt, endedAt } = outcome;
  const words = outcomeInWords(outcome);
  return {
    round,
    attempt,
    status: 'valid',
    outcome: words.outcome,
    summary: (words.summary.split('\n', 1)[0] ?? '').slice(0, MAX_SUMMARY_CHARS),
    commit: checkpoint === null ? null : checkpoint.commit,
    changes: checkpoint === null ? null : checkpoint.changes,
    secrets: checkpoint === null ? [] : [...new Set(checkpoint.secrets.map(({ name }) => name))],
    usage,
    costUsd,
    costEstimated,
    agent,
    agentMs,
    startedAt,
    endedAt,
    path: attemptFolder(round, attempt),
  };
}

/**
 * Add a line to the run's ledger, in one write. A line feed comes first if a killed or full-disk write left half a line,
 * so that the torn one is all that is lost. It is not flushed: what a power cut takes, `repairLedger` writes again.
 */
export async function appendLedgerLine(paths: RunPaths, line: LedgerLine): Promise<void> {
  await namingFullDisk(paths.index, async () => {
    const handle = await open(paths.index, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      const start = size > 0 && last.toString() !== '\n' ? '\n' : '';
      await handle.write(`${start}${JSON.stringify(line)}\n`);
    } finally {
      await handle.close();
    }
  });
}

/**
 * Write the lines of outcomes that have none, as a kill or a power cut came between the two. It looks back from the last
 * round to the first one that has its lines: how long the ledger is does not matter.
 */
export async function repairLedger(run: RunPaths): Promise<void> {
  const lines = linesFromEnd(run);
  const written = new Set<string>();
  let reached = Infinity;
  const missing: AttemptOutcome[] = [];
  for (const round of roundsBegun(run)
    .filter((begun) => begun > 0)
    .toReversed()) {
    while (reached >= round) {
      const next = await lines.next();
      if (next.done === true) reached = -1;
      else {
        reached = next.value.round;
        written.add(keyOf(next.value));
      }
    }
    const attempts = attemptsAt(run, round);
    const unwritten = attempts.filter((attempt) => !written.has(keyOf({ round, attempt })));
    const outcomes = await Promise.all(
      unwritten.map((attempt) => readJson(attemptPaths(run, round, attempt).outcome, AttemptOutcome)),
    );
    const found = outcomes.flatMap((outcome) => outcome ?? []);
    missing.unshift(...found);
    if (found.length === 0 && unwritten.length < attempts.length) break;
  }
  await lines.return(undefined);
  for (const outcome of missing) await appendLedgerLine(run, ledgerLine(outcome));
}

const keyOf = ({ round, attempt }: Pick<LedgerLine, 'round' | 'attempt'>): string => `${round}/${attempt}`;

/**
 * Every attempt that ended, in the order in which they ended. Lines that a crash tore are skipped. An attempt that was
 * written twice (its activity was killed right after the first time) counts once, as it was written last.
 */
export async function readAttempts(paths: RunPaths): Promise<LedgerLine[]> {
  const text = readTextIfAny(paths.index);
  const attempts = new Map<string, LedgerLine>();
  for (const row of (text ?? '').split('\n')) {
    const line = parseLine(row);
    if (line !== null) attempts.set(keyOf(line), line);
  }
  return [...attempts.values()];
}

/** Mark the attempts of all later rounds as rolled back. The file is replaced as a whole. */
export async function rollBackLinesAfter(paths: RunPaths, round: number): Promise<void> {
  const lines = await readAttempts(paths);
  if (lines.every((line) => line.round <= round || line.status === 'void')) return;
  const rows = lines.map((line) => JSON.stringify(line.round > round ? { ...line, status: 'void' } : line));
  await writeTextAtomically(paths.index, rows.map((row) => `${row}\n`).join(''));
}

/** The ledger's lines, the last one first, read piece by piece. */
async function* linesFromEnd({ index }: RunPaths): AsyncGenerator<LedgerLine, void> {
  const handle = await openIfAny(index);
  if (handle === null) return;
  try {
    let rest = Buffer.alloc(0);
    for (let end = (await handle.stat()).size; end > 0;) {
      const length = Math.min(CHUNK_BYTES, end);
      end -= length;
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, end);
      rest = Buffer.concat([buffer, rest]);
      // Up to the first line feed it may be the end of a line that begins further ahead.
      for (let at = rest.lastIndexOf(LINE_FEED); at !== -1; at = rest.lastIndexOf(LINE_FEED)) {
        const line = parseLine(rest.toString('utf8', at + 1));
        rest = rest.subarray(0, at);
        if (line !== null) yield line;
      }
    }
    const first = parseLine(rest.toString('utf8'));
    if (first !== null) yield first;
  } finally {
    await handle.close();
  }
}

const LINE_FEED = 0x0a;

async function openIfAny(file: string): Promise<FileHandle | null> {
  try {
    return await open(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Null if a crash tore the line. */
export function parseLine(row: string): LedgerLine | null {
  try {
    return parseRecord(LedgerLine, JSON.parse(row));
  } catch {
    // SyntaxError or ZodError: a torn line, which the ledger allows for.
    return null;
  }
}
