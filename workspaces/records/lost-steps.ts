import { stat } from 'node:fs/promises';
import type { AttemptOutcome, LostAttempt } from '../../schemas/round/round.ts';
import { StepRecord } from '../../schemas/round/step.ts';
import { GateCheck } from '../../schemas/verification/gate.ts';
import type { LostGates, LostReview } from '../../schemas/verification/lost-checks.ts';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import { outcomesAfter, type KnownAttempts } from './attempts.ts';
import { readJson } from './json-file.ts';
import { attemptPaths, checkPaths, reviewPaths, type CheckPaths, type RunPaths, type StepPaths } from './run-paths.ts';
import { checksAt, commandsOf, reviewsAt } from './steps.ts';

/** The attempts at a round that were ended from outside and that the loop has not counted yet. */
export async function lostAttempts(run: RunPaths, known: KnownAttempts): Promise<LostAttempt[]> {
  const lost: LostAttempt[] = [];
  for (const outcome of await outcomesAfter(run, known)) {
    if (outcome.kind !== 'interrupted') continue;
    const { attempt, by, agentMs, usage, costUsd, costEstimated, checkpoint } = outcome;
    lost.push({
      attempt,
      by,
      agentMs: agentMs === null ? await msOfOutput(run, outcome) : agentMs,
      usage,
      costUsd,
      costEstimated,
      commit: checkpoint === null ? null : checkpoint.commit,
      ref: checkpoint === null ? null : checkpoint.ref,
      changed: checkpoint !== null && checkpoint.changes.files > 0,
    });
  }
  return lost;
}

/** How long an agent was at work whose worker was lost, at the least: until it last printed. Null: it never did. */
async function msOfOutput(run: RunPaths, { round, attempt, startedAt }: AttemptOutcome): Promise<number | null> {
  const printed = await lastChange([attemptPaths(run, round, attempt).transcript], (size) => size > 0);
  return printed === 0 ? null : between(Date.parse(startedAt), printed);
}

/** The runs of a round's gates that were ended from outside and that the loop has not counted yet. None is under way. */
export async function lostGates(run: RunPaths, round: number, after: number): Promise<LostGates[]> {
  const lost: LostGates[] = [];
  for (const check of checksAt(run, round)) {
    if (check <= after) continue;
    const paths = checkPaths(run, round, check);
    const record = await readJson(paths.record, GateCheck);
    if (record?.kind === 'checked') continue;
    const begun = record === null ? await begunAt(paths.root) : Date.parse(record.startedAt);
    const ended = record === null ? await gatesEnded(paths) : Date.parse(record.endedAt);
    lost.push({ check, ms: between(begun, ended) });
  }
  return lost;
}

/** When the last of its commands ended, or gave its last sign. */
async function gatesEnded(paths: CheckPaths): Promise<number> {
  let last = 0;
  for (const command of commandsOf(paths)) last = Math.max(last, await stepEnded(paths.step(command)));
  return last;
}

async function stepEnded({ prompt, transcript, stderr, outcome }: StepPaths): Promise<number> {
  const record = await readJson(outcome, StepRecord);
  if (record?.kind === 'ended') return await lastChange([outcome]);
  // What was lost with its worker was disposed of by the next one, maybe hours later.
  if (record === null || record.receipt.cause === 'worker-lost') return await lastChange([prompt, transcript, stderr]);
  return Date.parse(record.receipt.at);
}

/** The reviews of a round that were ended from outside and that the loop has not counted yet. */
export async function lostReviews(run: RunPaths, round: number, after: number): Promise<LostReview[]> {
  const lost: LostReview[] = [];
  for (const attempt of reviewsAt(run, round)) {
    if (attempt <= after) continue;
    const paths = reviewPaths(run, round, attempt);
    const record = await readJson(paths.outcome, ReviewRecord);
    if (record !== null && record.kind !== 'interrupted') continue;
    const { usage, costUsd, costEstimated } = record ?? unreported;
    lost.push({ attempt, agentMs: await reviewMs(paths, record), usage, costUsd, costEstimated });
  }
  return lost;
}

const unreported = { usage: null, costUsd: null, costEstimated: false } as const;

async function reviewMs(paths: StepPaths, record: Extract<ReviewRecord, { kind: 'interrupted' }> | null) {
  if (record !== null && record.receipt.proof === 'nothing-started') return 0;
  if (record !== null && record.agentMs !== null) return record.agentMs;
  const printed = await lastChange([paths.transcript, paths.stderr], (size) => size > 0);
  return printed === 0 ? null : between(await begunAt(paths.root), printed);
}

/** When a file was last written to; 0: there is none. */
async function lastChange(files: readonly string[], counts = (_size: number): boolean => true): Promise<number> {
  const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)));
  return Math.max(0, ...stats.flatMap((each) => (each !== null && counts(each.size) ? [each.mtimeMs] : [])));
}

const begunAt = async (folder: string): Promise<number> => (await stat(folder)).birthtimeMs;

/** Clocks can be set back. */
const between = (from: number, to: number): number => Math.max(0, Math.round(to - from));
