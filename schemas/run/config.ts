import { z } from 'zod';
import { budgetWords } from '../budget/budget-words.ts';

/** `$RALPH_HOME/config.json`: what this deployment sets differently. Defaults: `temporal.config.ts`. */
export const RalphConfig = z.strictObject({
  /** A Temporal of your own; without an address (here or in TEMPORAL_ADDRESS) an embedded server is started. */
  temporal: z
    .strictObject({
      /** host:port of the frontend. */
      address: z.string().regex(/^.+:\d+$/, 'is written host:port'),
      namespace: z.string().min(1),
      /** A temporal.toml with TLS, API key and headers (its path from RALPH_HOME), and which of its profiles. */
      configFile: z.string().min(1),
      profile: z.string().min(1),
    })
    .partial()
    .optional(),
  /** Ceiling of `maxRounds` for every run. */
  maxRounds: z.int().positive().optional(),
  /** Ceilings of every run's budgets. A run that asks for none gets them. */
  ...budgetWords,
  /** How long Temporal waits for a silent worker before a round is attempted again. */
  heartbeatTimeoutMs: z.int().min(1000).optional(),
  /** Continue-as-new after so many rounds; null: when Temporal suggests it. */
  continueAfterRounds: z.int().positive().nullable().optional(),
  /** Rounds at the same time on this machine. */
  roundSlots: z.int().positive().optional(),
  /** Short activities (prepare, release) at the same time on this machine. */
  stepSlots: z.int().positive().optional(),
});
export type RalphConfig = z.infer<typeof RalphConfig>;
