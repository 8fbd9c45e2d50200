import { z } from 'zod';
import { KnownChecks } from '../schemas/loop/known-work.ts';
import type { Receipt } from '../schemas/round/receipt.ts';
import { KnownAttempts } from '../schemas/round/round-input.ts';
import { Released, UnreleasedEnding, Used, type RunEnding } from '../schemas/run/result.ts';
import { RunRequest } from '../schemas/run/run.ts';
import { lastWork } from '../workspaces/records/attempts.ts';
import { writeJsonAtomically } from '../workspaces/records/json-file.ts';
import { repairLedger } from '../workspaces/records/ledger.ts';
import { withLost } from '../workspaces/records/lost-steps.ts';
import { runPaths } from '../workspaces/records/run-paths.ts';
import { receiptsAtRest, recentSteps, removePrivateFolders } from '../workspaces/records/steps.ts';
import { removeCheckout } from '../workspaces/verification/check-out-clean.ts';
import { recover } from './recover.ts';
import { redacted, type Machine } from './step/machine.ts';
import { makeActivity, throwAll, type Work } from './step/make-activity.ts';
import type { TakeTurn } from './step/one-at-a-time.ts';

/** `known`, `checks`: what the loop has counted already; null: it never came to a round, or to a check. */
const ReleaseInput = z.object({
  request: RunRequest,
  ending: UnreleasedEnding,
  used: Used,
  known: KnownAttempts.nullable(),
  checks: KnownChecks.nullable().default(null),
});
export type ReleaseInput = z.input<typeof ReleaseInput>;

/**
 * End a run on its machine: dispose of whatever may be left of any step, commit what can be committed, and write
 * down how the run ended. Does again what is there already; fails only if that could be different later.
 */
export const releaseWorkspaceActivity = (machine: Machine, takeTurn: TakeTurn) =>
  makeActivity<typeof ReleaseInput, Released>(machine, takeTurn, {
    input: ReleaseInput,
    output: Released,
    runId: ({ request }) => request.runId,
    work: release,
    answer: throwAll,
  });

async function release({ machine, input }: Work<z.output<typeof ReleaseInput>, null>): Promise<Released> {
  const { redactor } = machine;
  const { request, ending, used, known, checks } = input;
  const run = runPaths(machine.ralphHome, request.runId);
  await repairLedger(run);
  const by = ending.status === 'cancelled' ? 'cancelled' : 'worker-lost';
  const recovered = await recover({ redactor, run, request, attempts: { by, known: null, mustSave: false } });
  const receipt = leastSure([...(await receiptsAtRest(run)), ...recovered.receipts]);
  const { commit, ref } = await lastWork(run);
  for (const { paths } of await recentSteps(run)) await removePrivateFolders(paths);
  // What a gate made undeletable costs the disk's room, not the record.
  await removeCheckout(run).catch(() => undefined);
  const spent = await withLost(run, used.spent, { attempts: known, checks });
  const record = { receipt, commit, ref, notes: [...recovered.notes], spent };
  const released = redacted({ redactor, schema: Released, record });
  await writeJsonAtomically(run.ending, {
    ending,
    receipt: released.receipt,
    notes: released.notes,
    ...used,
    spent,
    endedAt: new Date().toISOString(),
  } satisfies RunEnding);
  return released;
}

/** A run is disposed of no surer than its least sure disposal; among equals the last one speaks. */
function leastSure(unsorted: readonly Receipt[]): Receipt | null {
  const receipts = unsorted.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const unproved = receipts.findLast(({ proof }) => proof === 'unproved');
  const observed = receipts.findLast(({ proof }) => proof === 'observed');
  return unproved ?? observed ?? receipts.at(-1) ?? null;
}
