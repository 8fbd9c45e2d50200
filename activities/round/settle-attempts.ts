import { stat } from 'node:fs/promises';
import type { Redactor } from '../../redaction/redactor.ts';
import type { Interruption } from '../../schemas/round/fault.ts';
import { Reading } from '../../schemas/round/reading.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { AttemptOutcome, type Checkpoint } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { agentTitle } from '../../schemas/run/titles.ts';
import { disposeEarlier } from '../../agents/containment/dispose/dispose-earlier.ts';
import { attemptAgent } from '../../workspaces/records/attempt-agent.ts';
import { attemptPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { readJson } from '../../workspaces/records/json-file.ts';
import { SpawnerLost } from '../../workspaces/git/git-spawner.ts';
import { unsettledAttempts } from '../../workspaces/records/attempts.ts';
import { disposalCause, interruptedInWords } from '../step/interruption.ts';
import { errorMessage } from '../step/failures.ts';
import { likelyMechanism, PROVE_MS } from '../step/disposal.ts';
import { redacted } from '../step/redacted.ts';
import { saveWork } from './save-work.ts';
import { recordAttempt } from './record-attempt.ts';
import { inWords } from './verdict.ts';

/** What settling found: a receipt for each attempt, and what could not be kept. */
export interface Settled {
  readonly receipts: readonly Receipt[];
  readonly notes: readonly string[];
}

/**
 * Dispose of what attempts without an outcome left behind, commit their work, and write down that they were lost; or,
 * where what the agent came to was written down already, how they ended: such an attempt has finished like any other.
 * Stops at the first one that cannot be proved gone: nothing may start beside it, and it stays without an outcome.
 * @param mustSave whether work that cannot be committed is an error; else a note says so, and it stays in the tree
 */
export async function settleAttempts({
  redactor,
  run,
  request,
  by: lost,
  known,
  mustSave,
}: {
  redactor: Redactor;
  run: RunPaths;
  request: RunRequest;
  /** What ended the attempts that nobody knows the outcome of. */
  by: Interruption;
  /** The last attempt at a round whose outcome the loop has: up to it they were not lost, only not written down. */
  known: { round: number; afterAttempt: number } | null;
  mustSave: boolean;
}): Promise<Settled> {
  const receipts: Receipt[] = [];
  const notes: string[] = [];
  for (const { round, attempt } of await unsettledAttempts(run)) {
    const isKnown = known !== null && round === known.round && attempt <= known.afterAttempt;
    const by = isKnown ? 'unrecorded' : lost;
    const paths = attemptPaths(run, round, attempt);
    const { birthtime } = await stat(paths.root);
    const receipt = await disposeEarlier({
      fenceFile: paths.fence,
      cause: disposalCause(by),
      mechanism: await likelyMechanism(request.sandbox),
      proveMs: PROVE_MS,
    });
    if (receipt.proof === 'unproved') return { receipts: [...receipts, receipt], notes };
    const reading = isKnown ? null : await readJson(paths.reading, Reading);
    const words = reading === null ? interruptedInWords(by) : inWords(reading.attempt);
    const said = reading === null ? [] : reading.notes;
    let checkpoint: Checkpoint | null = null;
    try {
      checkpoint = await saveWork({ redactor, run, request, round, attempt, ...words, notes: said });
    } catch (error) {
      if (mustSave || error instanceof SpawnerLost) throw error;
      notes.push(`The work of round ${round} could not be committed and lies in ${run.tree}: ${errorMessage(error)}`);
    }
    const agent = agentTitle(await attemptAgent(paths, request));
    const startedAt = birthtime.toISOString();
    const ended =
      reading === null ? lostAttempt({ round, attempt, startedAt, agent, by, receipt, request }) : reading.attempt;
    const commit = checkpoint === null ? null : checkpoint.commit;
    const outcome = { ...ended, checkpoint, receipt: { ...ended.receipt, commit } };
    receipts.push(outcome.receipt);
    await recordAttempt(run, redacted({ redactor, schema: AttemptOutcome, record: outcome }));
  }
  return { receipts, notes };
}

function lostAttempt(facts: {
  round: number;
  attempt: number;
  startedAt: string;
  agent: string;
  by: Interruption;
  receipt: Receipt;
  request: RunRequest;
}): AttemptOutcome {
  const { round, attempt, startedAt, agent, by, receipt, request } = facts;
  return {
    kind: 'interrupted',
    by,
    round,
    attempt,
    startedAt,
    endedAt: new Date().toISOString(),
    agentMs: null,
    usage: null,
    costUsd: null,
    costEstimated: false,
    agent,
    sandbox: { ...request.sandbox, mechanism: receipt.mechanism },
    checkpoint: null,
    receipt,
  };
}
