import { Context } from '@temporalio/activity';
import type { Redactor } from '../redaction/redactor.ts';
import { Released, UnreleasedEnding, Used, type RunEnding } from '../schemas/run/result.ts';
import type { Receipt } from '../schemas/round/receipt.ts';
import { KnownChecks, type KnownWork } from '../schemas/loop/known-work.ts';
import { KnownAttempts } from '../schemas/round/round-input.ts';
import { RunRequest } from '../schemas/run/run.ts';
import { writeJsonAtomically } from '../workspaces/records/json-file.ts';
import { runPaths, type RunPaths } from '../workspaces/records/run-paths.ts';
import { lastOutcome, lastWork, removePrivateFoldersOf } from '../workspaces/records/attempts.ts';
import { removeCheckout } from '../workspaces/verification/check-out-clean.ts';
import { withLost } from '../workspaces/records/with-lost.ts';
import { mendLedger } from './round/mend-ledger.ts';
import { asFailure, parseInput } from './step/failures.ts';
import type { Machine } from './step/machine.ts';
import type { TakeTurn } from './step/one-at-a-time.ts';
import { startPulse } from './step/pulse.ts';
import { redacted } from './step/redacted.ts';
import { settleSetup, setupReceipt } from './step/run-setup.ts';
import { settleAttempts } from './round/settle-attempts.ts';
import { checkReceipts, settleChecks } from './verification/settle-checks.ts';

/** `known`, `checks`: what the loop has counted already; null: it never came to a round, or to a check. */
export interface ReleaseInput {
  readonly request: RunRequest;
  readonly ending: UnreleasedEnding;
  readonly used: Used;
  readonly known: KnownAttempts | null;
  readonly checks?: KnownChecks | null;
}

/**
 * End a run on its machine: dispose of whatever may be left of any attempt, commit what can be committed, and write
 * down how the run ended. Does again what is there already; fails only where that could be different later.
 */
export function releaseWorkspaceActivity(machine: Machine, takeTurn: TakeTurn) {
  return async (given: ReleaseInput): Promise<Released> => {
    const context = Context.current();
    const pulse = startPulse(context, null);
    try {
      const request = parseInput(RunRequest, given.request);
      const ending = parseInput(UnreleasedEnding, given.ending);
      const used = parseInput(Used, given.used);
      const known = {
        attempts: parseInput(KnownAttempts.nullable(), given.known),
        checks: parseInput(KnownChecks.nullable().default(null), given.checks),
      };
      const run = runPaths(machine.ralphHome, request.runId);
      return await takeTurn(request.runId, context, () =>
        release({ redactor: machine.redactor, run, request, ending, used, known }),
      );
    } catch (error) {
      throw asFailure(error, machine.redactor);
    } finally {
      pulse.stop();
    }
  };
}

async function release({
  redactor,
  run,
  request,
  ending,
  used,
  known,
}: {
  redactor: Redactor;
  run: RunPaths;
  request: RunRequest;
  ending: UnreleasedEnding;
  used: Used;
  known: KnownWork;
}): Promise<Released> {
  await mendLedger(run);
  const by = ending.status === 'cancelled' ? 'cancelled' : 'worker-lost';
  const setup = await settleSetup({ run, request });
  const checks = await settleChecks({ run, request });
  const { receipts, notes } = await settleAttempts({ redactor, run, request, by, known: null, mustSave: false });
  const last = await lastOutcome(run);
  const atRest = last === null ? await setupReceipt(run) : last.receipt;
  const atCheck = await checkReceipts(run);
  const receipt = leastSure([...(atRest === null ? [] : [atRest]), ...atCheck, ...setup, ...receipts, ...checks]);
  const { commit, ref } = await lastWork(run);
  await removePrivateFoldersOf(run);
  // What a gate made undeletable costs the disk's room, not the record.
  await removeCheckout(run).catch(() => undefined);
  const spent = await withLost(run, used.spent, known);
  const record = { receipt, commit, ref, notes: [...notes], spent };
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
