import { open, readdir } from 'node:fs/promises';
import { LedgerLine } from '../../schemas/run/ledger.ts';
import { parseRecord } from '../../schemas/text/parse-record.ts';
import { RunEnding } from '../../schemas/run/result.ts';
import { AttemptOutcome } from '../../schemas/round/round.ts';
import { RUN_ID, RunRequest } from '../../schemas/run/run.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { errorCode } from '../../system/error-code.ts';
import { readJson } from './json-file.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { writeTextAtomically } from '../../system/write-atomically.ts';
import { attemptPaths, runsFolder, type RunPaths } from './run-paths.ts';

/**
 * Add a line to the run's ledger: one write, then fsync. A line feed comes first where a killed or full-disk write left
 * half a line, so that the torn one is all that is lost.
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
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/**
 * Every attempt that ended, in the order in which they ended. Lines that a crash tore are skipped. An attempt that was
 * written twice (its activity was killed right after the first time) counts once, as it was written last.
 */
export async function readAttempts(paths: RunPaths): Promise<LedgerLine[]> {
  const text = await readTextIfAny(paths.index);
  const attempts = new Map<string, LedgerLine>();
  for (const row of (text ?? '').split('\n')) {
    const line = parseLine(row);
    if (line !== null) attempts.set(`${line.round}/${line.attempt}`, line);
  }
  return [...attempts.values()];
}

/** Make the attempts of all rounds after this one void; the file is replaced as a whole. */
export async function voidLinesAfter(paths: RunPaths, round: number): Promise<void> {
  const lines = await readAttempts(paths);
  if (lines.every((line) => line.round <= round || line.status === 'void')) return;
  const rows = lines.map((line) => JSON.stringify(line.round > round ? { ...line, status: 'void' } : line));
  await writeTextAtomically(paths.index, rows.map((row) => `${row}\n`).join(''));
}

/** Null where a crash tore the line. */
export function parseLine(row: string): LedgerLine | null {
  try {
    return parseRecord(LedgerLine, JSON.parse(row));
  } catch {
    // SyntaxError or ZodError: a torn line, which the ledger allows for.
    return null;
  }
}

/** Ids of the runs that have a folder, sorted. */
export async function listRuns(ralphHome: string): Promise<string[]> {
  try {
    const entries = await readdir(runsFolder(ralphHome), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && RUN_ID.test(entry.name))
      .map((entry) => entry.name)
      .toSorted();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

export function readRequest(paths: RunPaths): Promise<RunRequest | null> {
  return readJson(paths.request, RunRequest);
}

export function readEnding(paths: RunPaths): Promise<RunEnding | null> {
  return readJson(paths.ending, RunEnding);
}

export function readOutcome(paths: RunPaths, round: number, attempt: number): Promise<AttemptOutcome | null> {
  return readJson(attemptPaths(paths, round, attempt).outcome, AttemptOutcome);
}
