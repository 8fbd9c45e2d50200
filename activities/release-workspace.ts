import type { z } from 'zod';
import { StepInput } from '../schemas/loop/loop-input.ts';
import type { Receipt } from '../schemas/round/receipt.ts';
import { Released, UnreleasedEnding, type RunEnding } from '../schemas/run/result.ts';
import { endedState } from '../workflows/decide/advance.ts';
import { writeJsonAtomically } from '../workspaces/records/json-file.ts';
import { repairLedger } from '../workspaces/records/ledger.ts';
import { writeState } from '../workspaces/records/loop-state.ts';
import { runPaths } from '../workspaces/records/run-paths.ts';
import { receiptsAtRest, recentSteps, removePrivateFolders } from '../workspaces/records/steps.ts';
import { uncountedEvents } from '../workspaces/records/uncounted.ts';
import { removeCheckout } from '../workspaces/verification/check-out-clean.ts';
import { recover } from './recover.ts';
import { redacted, type Machine } from './step/machine.ts';
import { makeActivity, throwAll, type Work } from './step/make-activity.ts';
import type { TakeTurn } from './step/one-at-a-time.ts';

/** Argument of the activity `releaseWorkspace`: where the loop stands, and how it ended. */
const ReleaseInput = StepInput.extend({ ending: UnreleasedEnding });
export type ReleaseInput = z.input<typeof ReleaseInput>;

/**
 * End a run on its machine: dispose of whatever may be left of any step, commit what can be committed, count what the
 * loop has not counted, and write down how the run ended. What is done already is done again. An error is thrown only
 * where a later try may succeed.
 */
export const releaseWorkspaceActivity = (machine: Machine, takeTurn: TakeTurn) =>
  makeActivity<typeof ReleaseInput, Released>(machine, takeTurn, {
    input: ReleaseInput,
    output: Released,
    hold: 'ended-too',
    work: release,
    answer: throwAll,
  });

async function release({ machine, input }: Work<z.output<typeof ReleaseInput>, null>): Promise<Released> {
  const { redactor } = machine;
  const { request, state, ending } = input;
  const run = runPaths(machine.ralphHome, request.runId);
  // As far as it goes: a full disk keeps no run from its end.
  await writeState(run, state, null).catch(() => undefined);
  await repairLedger(run);
  const by = ending.status === 'cancelled' ? 'cancelled' : 'worker-lost';
  const recovered = await recover({ redactor, run, request, attempts: { by, known: null, mustSave: false } });
  const receipt = weakestReceipt([...(await receiptsAtRest(run)), ...recovered.receipts]);
  for (const { paths } of recentSteps(run)) await removePrivateFolders(paths);
  // What a gate made undeletable costs the disk's room, not the record.
  await removeCheckout(run).catch(() => undefined);
  // A cancel can leave several outcomes that the loop never heard of, even a report.
  const final = endedState(request, state, { events: await uncountedEvents(run, state), ending });
  const record = { receipt, notes: [...recovered.notes], state: final };
  const released = redacted({ redactor, schema: Released, record });
  const endedAt = new Date().toISOString();
  await writeJsonAtomically(run.ending, { ending, ...released, endedAt } satisfies Partial<RunEnding>);
  return released;
}

/** The receipt of a run is the weakest of its disposals; of equal ones, the last. */
function weakestReceipt(unsorted: readonly Receipt[]): Receipt | null {
  const receipts = unsorted.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const unproved = receipts.findLast(({ proof }) => proof === 'unproved');
  const observed = receipts.findLast(({ proof }) => proof === 'observed');
  return unproved ?? observed ?? receipts.at(-1) ?? null;
}
