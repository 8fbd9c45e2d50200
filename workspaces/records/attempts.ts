import { rm } from 'node:fs/promises';
import { AgentSpec } from '../../schemas/run/agent.ts';
import { AttemptOutcome, type FinishedAttempt } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { readJson, writeJsonAtomically } from './json-file.ts';
import { appendLedgerLine, ledgerLine } from './ledger.ts';
import { attemptPaths, type RunPaths, type StepPaths } from './run-paths.ts';
import { attemptsAt, removePrivateFolders, roundsBegun } from './steps.ts';

/** How an attempt ended; null: it has not, or it was lost and nobody has recovered it yet. */
export function readOutcome(run: RunPaths, round: number, attempt: number): Promise<AttemptOutcome | null> {
  return readJson(attemptPaths(run, round, attempt).outcome, AttemptOutcome);
}

/**
 * Write down how an attempt ended: the outcome, then the ledger's line. `repairLedger` writes a line that a kill
 * swallowed. The reading and the private folders go last; what cannot be removed of those must not cost the record.
 */
export async function recordAttempt(run: RunPaths, outcome: AttemptOutcome): Promise<void> {
  const paths = attemptPaths(run, outcome.round, outcome.attempt);
  await writeJsonAtomically(paths.outcome, outcome);
  await appendLedgerLine(run, ledgerLine(outcome));
  await rm(paths.reading, { force: true });
  await removePrivateFolders(paths);
}

/** The last attempt at a round whose outcome the loop has; 0: none. */
export interface KnownAttempts {
  readonly round: number;
  readonly afterAttempt: number;
}

/** An attempt that finished and that the loop does not know of, as the worker was lost right then. Null: none. */
export async function finishedAttempt(run: RunPaths, known: KnownAttempts): Promise<FinishedAttempt | null> {
  for (const outcome of await outcomesAfter(run, known)) if (outcome.kind !== 'interrupted') return outcome;
  return null;
}

/** The outcomes of attempts at a round that the loop does not know of, in order. */
export async function outcomesAfter(run: RunPaths, known: KnownAttempts): Promise<AttemptOutcome[]> {
  const numbers = attemptsAt(run, known.round).filter((attempt) => attempt > known.afterAttempt);
  const outcomes = await Promise.all(numbers.map((attempt) => readOutcome(run, known.round, attempt)));
  return outcomes.flatMap((outcome) => outcome ?? []);
}

/** The last checkpoint that an attempt made, and where the user's repository shows it; nulls before the first. */
export async function lastWork(run: RunPaths): Promise<{ commit: string | null; ref: string | null }> {
  for (const round of roundsBegun(run)
    .filter((begun) => begun > 0)
    .toReversed()) {
    for (const attempt of attemptsAt(run, round).toReversed()) {
      const checkpoint = (await readOutcome(run, round, attempt))?.checkpoint ?? null;
      if (checkpoint !== null) return { commit: checkpoint.commit, ref: checkpoint.ref };
    }
  }
  return { commit: null, ref: null };
}

/** Note who makes an attempt, before it starts, if it is not the run's own agent. */
export const noteAgent = (paths: StepPaths, agent: AgentSpec): Promise<void> => writeJsonAtomically(paths.agent, agent);

/** Who made an attempt, or makes it. */
export async function attemptAgent(paths: StepPaths, request: RunRequest): Promise<AgentSpec> {
  return (await readJson(paths.agent, AgentSpec)) ?? request.agent;
}
