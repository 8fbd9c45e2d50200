import { LedgerLine } from '../schemas/ledger.ts';
import { parseRecord } from '../schemas/parse-record.ts';
import { readTextIfAny } from './json-file.ts';
import type { RunPaths } from './run-paths.ts';

/**
 * The last attempt in the ledger that counts, null where there is none: what a list of hundreds of runs needs, without
 * reading every line of every ledger.
 */
export async function readLastAttempt(paths: RunPaths): Promise<LedgerLine | null> {
  const rows = ((await readTextIfAny(paths.index)) ?? '').split('\n');
  for (const row of rows.toReversed()) {
    const line = parseLine(row);
    if (line !== null && line.status === 'valid') return line;
  }
  return null;
}

function parseLine(row: string): LedgerLine | null {
  try {
    return parseRecord(LedgerLine, JSON.parse(row));
  } catch {
    // SyntaxError or ZodError: a torn line, which the ledger allows for.
    return null;
  }
}
