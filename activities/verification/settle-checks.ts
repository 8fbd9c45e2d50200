import { z } from 'zod';
import { Receipt } from '../../schemas/round/receipt.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { lastCheckFolders, unsettledCheckFolders } from '../../workspaces/records/check-folders.ts';
import { readJson } from '../../workspaces/records/json-file.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { settleLost } from '../step/run-step.ts';

/** A gate that had its folder and was never started says nothing of how a run was disposed of. */
const began = ({ proof }: Receipt): boolean => proof !== 'nothing-started';

/**
 * Dispose of what gates and reviews without an outcome left behind, and write down that they were lost. Nothing may
 * start beside one whose receipt reads `unproved`; it stays without an outcome.
 */
export async function settleChecks({ run, request }: { run: RunPaths; request: RunRequest }): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const { paths } of await unsettledCheckFolders(run)) receipts.push(await settleLost(paths, request));
  return receipts.filter(began);
}

/** The one part that the records of gates and of reviews share. */
const Disposed = z.object({ receipt: Receipt });

/** How what checked the last claim was disposed of, in order. */
export async function checkReceipts(run: RunPaths): Promise<Receipt[]> {
  const records = await Promise.all(
    (await lastCheckFolders(run)).map(({ paths }) => readJson(paths.outcome, Disposed)),
  );
  return records.flatMap((record) => (record === null ? [] : [record.receipt])).filter(began);
}
