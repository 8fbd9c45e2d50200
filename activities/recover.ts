import { stat } from 'node:fs/promises';
import type { Redactor } from '../redaction/redactor.ts';
import type { Interruption } from '../schemas/round/fault.ts';
import { Reading } from '../schemas/round/reading.ts';
import type { Receipt } from '../schemas/round/receipt.ts';
import { AttemptOutcome, type Checkpoint } from '../schemas/round/round.ts';
import { agentTitle, type RunRequest } from '../schemas/run/run.ts';
import { messageOf } from '../system/error-code.ts';
import { attemptAgent, recordAttempt, type KnownAttempts } from '../workspaces/records/attempts.ts';
import { readJson } from '../workspaces/records/json-file.ts';
import type { RunPaths } from '../workspaces/records/run-paths.ts';
import { recordInterrupted, saysNothing, unrecoveredSteps, type Step } from '../workspaces/records/steps.ts';
import { saveWork } from './round/save-work.ts';
import { inWords, type Verdict } from './round/verdict.ts';
import { disposeLost } from './step/disposal.ts';
import { disposalCause } from './step/interruption.ts';
import { redacted } from './step/machine.ts';

/** What recovery found. */
export interface Recovered {
  /** Of each step that was lost, how it was disposed of. */
  readonly receipts: readonly Receipt[];
  /** The first step that may still run: nothing may start beside it, and it stays without an outcome. Null: none may. */
  readonly alive: Receipt | null;
  /** What could not be kept. */
  readonly notes: readonly string[];
}

/** What is to become of attempts that have no outcome. */
interface LostAttempts {
  /** What ended those that nobody knows the outcome of. */
  readonly by: Interruption;
  /** The last attempt at a round whose outcome the loop has: up to it they were not lost, only not written down. Null: none. */
  readonly known: KnownAttempts | null;
  /** Whether work that cannot be committed is an error; else a note says so, and it stays in the tree. */
  readonly mustSave: boolean;
}

interface Asked {
  readonly redactor: Redactor;
  readonly run: RunPaths;
  readonly request: RunRequest;
  /** Null: leave attempts alone. Whoever runs no agent in the tree has nothing to do with them. */
  readonly attempts: LostAttempts | null;
}

/**
 * Dispose of what lost steps left, and write down that they were lost: the setup, gates and reviews first, then attempts
 * in order. An attempt's work is committed; so it stops at the first attempt that cannot be proved gone. If what the
 * agent came to was written down already, the attempt has finished like any other.
 */
export async function recover(asked: Asked): Promise<Recovered> {
  const { run, attempts } = asked;
  const steps = unrecoveredSteps(run);
  const receipts: Receipt[] = [];
  const notes: string[] = [];
  for (const step of steps.filter(({ kind }) => kind !== 'attempt')) {
    const receipt = await disposeLost(step.paths, 'worker-lost');
    await recordInterrupted(step.paths, receipt);
    if (!saysNothing(step, receipt)) receipts.push(receipt);
  }
  if (attempts !== null) {
    for (const step of steps.filter(({ kind }) => kind === 'attempt')) {
      const { receipt, note } = await recoverAttempt(asked, step, attempts);
      receipts.push(receipt);
      if (receipt.proof === 'unproved') break;
      if (note !== null) notes.push(note);
    }
  }
  return { receipts, alive: receipts.find(({ proof }) => proof === 'unproved') ?? null, notes };
}

async function recoverAttempt(
  { redactor, run, request }: Asked,
  { round, number: attempt, paths }: Step,
  { by: lost, known, mustSave }: LostAttempts,
): Promise<{ receipt: Receipt; note: string | null }> {
  const isKnown = known !== null && round === known.round && attempt <= known.afterAttempt;
  const by = isKnown ? 'unrecorded' : lost;
  const { birthtime } = await stat(paths.root);
  const disposed = await disposeLost(paths, disposalCause(by));
  if (disposed.proof === 'unproved') return { receipt: disposed, note: null };

  const reading = isKnown ? null : await readJson(paths.reading, Reading);
  const verdict: Verdict = reading === null ? { kind: 'interrupted', by } : reading.attempt;
  const notes = reading === null ? [] : reading.notes;
  let checkpoint: Checkpoint | null = null;
  let note: string | null = null;
  try {
    checkpoint = await saveWork({ redactor, run, request, round, attempt, ...inWords(verdict), notes });
  } catch (error) {
    if (mustSave) throw error;
    note = `The work of round ${round} could not be committed and lies in ${run.tree}: ${messageOf(error)}`;
  }

  const ended: AttemptOutcome =
    reading === null
      ? {
          kind: 'interrupted',
          by,
          round,
          attempt,
          startedAt: birthtime.toISOString(),
          endedAt: new Date().toISOString(),
          agentMs: null,
          usage: null,
          costUsd: null,
          costEstimated: false,
          agent: agentTitle(await attemptAgent(paths, request)),
          agentVersion: null,
          sandbox: { ...request.sandbox, mechanism: disposed.mechanism },
          checkpoint: null,
          receipt: disposed,
        }
      : reading.attempt;
  const receipt = { ...ended.receipt, commit: checkpoint === null ? null : checkpoint.commit };
  const outcome: AttemptOutcome = { ...ended, checkpoint, receipt };
  await recordAttempt(run, redacted({ redactor, schema: AttemptOutcome, record: outcome }));
  return { receipt, note };
}
