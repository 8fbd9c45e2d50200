import { z } from 'zod';
import { Fault, Interruption } from './fault.ts';
import { Mechanism, Receipt } from './receipt.ts';
import { Report } from './report.ts';
import { Sandbox } from '../run/sandbox.ts';
import { Usage } from './usage.ts';

/** What a checkpoint changed against the checkpoint before it. */
export const Changes = z.strictObject({
  files: z.int().nonnegative(),
  insertions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
});
export type Changes = z.infer<typeof Changes>;

/** A known secret in a commit: what it is called, and the file; null: in a commit's message or a file's name. */
export const CommittedSecret = z.strictObject({ name: z.string(), path: z.string().nullable() });
export type CommittedSecret = z.infer<typeof CommittedSecret>;

/** The commit that ends a round (or an attempt that failed). */
export const Checkpoint = z.strictObject({
  commit: z.string(),
  /** The checkpoint that the round began from. */
  base: z.string(),
  changes: Changes,
  /** Where the user's repository shows it: a branch, or a ref where the branch cannot be. Null: not placed; the last note says why. */
  ref: z.string().nullable(),
  /** What a reader must know: rewritten history, nested repositories, a branch that could not be moved. */
  notes: z.array(z.string()),
  /** Known secrets that its commits hold, at most 20: an agent committed them, and nothing takes them out. */
  secrets: z.array(CommittedSecret).default([]),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

const attempt = {
  round: z.int().positive(),
  attempt: z.int().positive(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Milliseconds the agent ran; the rest of endedAt − startedAt is the engine's. Null: its worker was lost. */
  agentMs: z.int().nonnegative().nullable(),
  /** Null: the program did not say. */
  usage: Usage.nullable(),
  costUsd: z.number().nonnegative().nullable(),
  /** Whether `costUsd` comes from the price table: the program states none. */
  costEstimated: z.boolean().default(false),
  /** Which agent made the attempt, as titles have it; null: not known, as its worker was lost. */
  agent: z.string().nullable().default(null),
  /** The version of that agent's program; null: it has none, or it is not known. */
  agentVersion: z.string().nullable().default(null),
  /** `mechanism`: the receipt's. */
  sandbox: Sandbox.extend({ mechanism: Mechanism.nullable() }),
  /** Null where the workspace could not be committed; the fault says why. */
  checkpoint: Checkpoint.nullable(),
  receipt: Receipt,
};

const reported = z.strictObject({
  kind: z.literal('reported'),
  ...attempt,
  report: Report,
  /** The agent's last words outside its report, bounded. */
  finalText: z.string().nullable(),
});
const failed = z.strictObject({ kind: z.literal('failed'), ...attempt, fault: Fault });
const interrupted = z.strictObject({ kind: z.literal('interrupted'), ...attempt, by: Interruption });

/** An attempt that ended by itself. */
export const FinishedAttempt = z.discriminatedUnion('kind', [reported, failed]);
export type FinishedAttempt = z.infer<typeof FinishedAttempt>;
export type ReportedAttempt = z.infer<typeof reported>;
export type FailedAttempt = z.infer<typeof failed>;

/** An attempt that was ended from outside, as the loop counts it. */
export const LostAttempt = z.strictObject({
  attempt: z.int().positive(),
  by: Interruption,
  agentMs: z.int().nonnegative().nullable(),
  usage: Usage.nullable(),
  costUsd: z.number().nonnegative().nullable(),
  costEstimated: z.boolean(),
  /** Its work's checkpoint and where that is shown; null where it has none. */
  commit: z.string().nullable(),
  ref: z.string().nullable(),
  changed: z.boolean(),
});
export type LostAttempt = z.infer<typeof LostAttempt>;

/** Attempts at a round that were ended from outside since the loop asked last. None was begun after them. */
const lost = z.strictObject({
  kind: z.literal('lost'),
  round: z.int().positive(),
  attempts: z.array(LostAttempt).min(1),
});
export type LostAttempts = z.infer<typeof lost>;

/** Result of `runRound`. */
export const RoundResult = z.discriminatedUnion('kind', [reported, failed, lost]);
export type RoundResult = z.infer<typeof RoundResult>;

/** How any attempt at a round ended, as `outcome.json` keeps it. */
export const AttemptOutcome = z.discriminatedUnion('kind', [reported, failed, interrupted]);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;
