import { Context } from '@temporalio/activity';
import { UnreleasedEnding, type RunEnding } from '../schemas/result.ts';
import type { Receipt } from '../schemas/receipt.ts';
import { RunRequest } from '../schemas/run.ts';
import { writeJsonAtomically } from '../workspaces/json-file.ts';
import { runPaths, type RunPaths } from '../workspaces/run-paths.ts';
import { lastOutcome } from '../workspaces/attempts.ts';
import { mendLedger } from './mend-ledger.ts';
import { asFailure, parseInput } from './failures.ts';
import type { Machine } from './machine.ts';
import type { TakeTurn } from './one-at-a-time.ts';
import { startPulse } from './pulse.ts';
import { settleSetup } from './run-setup.ts';
import { settleAttempts } from './settle-attempts.ts';

/**
 * End a run on its machine: dispose of whatever may be left of any attempt and write down how the run ended.
 * @returns the receipt of the last disposal; null where no process was ever started
 */
export function releaseWorkspaceActivity(machine: Machine, takeTurn: TakeTurn) {
  return async (given: { request: RunRequest; ending: UnreleasedEnding }): Promise<Receipt | null> => {
    const context = Context.current();
    const pulse = startPulse(context, null);
    try {
      const request = parseInput(RunRequest, given.request);
      const ending = parseInput(UnreleasedEnding, given.ending);
      const run = runPaths(machine.ralphHome, request.runId);
      return await takeTurn(request.runId, context, () => release({ run, request, ending }));
    } catch (error) {
      throw asFailure(error);
    } finally {
      pulse.stop();
    }
  };
}

async function release({
  run,
  request,
  ending,
}: {
  run: RunPaths;
  request: RunRequest;
  ending: UnreleasedEnding;
}): Promise<Receipt | null> {
  await mendLedger(run);
  const by = ending.status === 'cancelled' ? 'cancelled' : 'worker-lost';
  const settled = [
    ...(await settleSetup({ run, request })),
    ...(await settleAttempts({ run, request, by, known: null })),
  ];
  const outcome = await lastOutcome(run);
  const last = settled.at(-1) ?? (outcome === null ? null : outcome.receipt);
  await writeJsonAtomically(run.ending, {
    ending,
    receipt: last,
    endedAt: new Date().toISOString(),
  } satisfies RunEnding);
  return last;
}
