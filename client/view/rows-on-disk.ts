import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { checksOnDisk, refusalOf } from './checks-on-disk.ts';
import type { DiskRun } from './disk-run.ts';
import { roundRows } from './round-rows.ts';
import type { RoundRow } from './run-view.ts';

/** The table of some rounds of a run that has ended, with why a claim was refused. */
export async function rowsOnDisk({ paths, request }: DiskRun, lines: readonly LedgerLine[]): Promise<RoundRow[]> {
  const rows = roundRows(lines, null);
  const checks = rows.length === 0 || request === null ? [] : await checksOnDisk(paths, request, 0);
  return rows.map((row) => ({ ...row, refused: refusalOf(checks, row.round) }));
}
