import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { parseLine } from './ledger.ts';
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
