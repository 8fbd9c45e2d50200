import { z } from 'zod';
import { Changes } from '../round/round.ts';
import { Usage } from '../round/usage.ts';

/** One line of `index.jsonl`: an attempt that ended, with what a table of rounds shows. */
export const LedgerLine = z.strictObject({
  round: z.int().positive(),
  attempt: z.int().positive(),
  /** `valid`: the attempt counts in the run's history. `void`: rolled back. */
  status: z.enum(['valid', 'void']),
  /** The report's status, or the code of the fault that ended the attempt. */
  outcome: z.string(),
  /** First line of the report's summary, or of the fault. At most 200 characters. */
  summary: z.string(),
  commit: z.string().nullable(),
  changes: Changes.nullable(),
  /** Names of the known secrets that its commits hold. */
  secrets: z.array(z.string()).default([]),
  usage: Usage.nullable(),
  costUsd: z.number().nonnegative().nullable(),
  costEstimated: z.boolean().default(false),
  /** Which agent made the attempt, as titles have it; null: not known, as its worker was lost. */
  agent: z.string().nullable().default(null),
  /** Milliseconds the agent ran; the rest of the attempt is the engine's. Null: its worker was lost, or an older engine wrote the line. */
  agentMs: z.int().nonnegative().nullable().default(null),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** The attempt's folder, relative to the run's. */
  path: z.string(),
});
export type LedgerLine = z.infer<typeof LedgerLine>;
