import { z } from 'zod';

const Amount = z.object({ amount: z.number().default(0) }).transform(({ amount }) => amount);
const Spend = z.object({
  rounds: z.number().default(0),
  timeMs: Amount.optional(),
  tokens: Amount.optional(),
  costUsd: Amount.optional(),
});

/** A round as "blocked", "agent-crashed", "cancelled" or "running". */
const Row = z
  .object({
    round: z.number(),
    attempts: z.number(),
    commit: z.string().nullable(),
    outcome: z.object({ kind: z.string(), code: z.string().optional(), by: z.string().optional() }).optional(),
  })
  .transform(({ outcome, ...row }) => ({ ...row, status: outcome?.code ?? outcome?.by ?? outcome?.kind ?? 'running' }));
const Rows = z.array(Row);

const Phase = z.object({
  doing: z.object({ until: z.string().nullable().optional(), why: z.string().nullable().optional() }).optional(),
  how: z.object({ ending: z.object({ reason: z.string().nullable().optional() }).optional() }).optional(),
  receipt: z
    .object({ proof: z.string(), cause: z.string(), left: z.array(z.unknown()) })
    .nullable()
    .optional(),
});

const Previous = z.object({ runId: z.string(), status: z.string(), rounds: Rows });

/** What of `ralph show --json` the journeys look at, in a flat form. */
export const ShownRun = z
  .object({
    status: z.string(),
    request: z.object({ request: z.object({ objectiveHash: z.string() }).optional() }),
    phase: Phase,
    ceilings: z.object({ maxRounds: z.number() }).nullable(),
    rounds: Rows,
    rollback: z.object({ rounds: Rows.optional() }),
    work: z.object({
      kind: z.string(),
      branch: z.string().nullable().optional(),
      commit: z.string().nullable().optional(),
    }),
    chain: z.object({
      continues: z.string().nullable(),
      previous: z.array(Previous),
      continued: z.object({
        kind: z.string(),
        as: z.array(z.string()).optional(),
        last: z.object({ runId: z.string(), status: z.string() }).optional(),
      }),
      spend: Spend,
    }),
  })
  .transform(({ status, request, phase, ceilings, rounds, rollback, work, chain }) => ({
    status,
    objectiveHash: request.request?.objectiveHash ?? null,
    /** Why it waits, or the reason that was given for its end. */
    why: phase.doing?.why ?? phase.how?.ending?.reason ?? null,
    until: phase.doing?.until ?? null,
    receipt: phase.receipt ?? null,
    maxRounds: ceilings?.maxRounds ?? null,
    rounds,
    rolledBack: rollback.rounds ?? [],
    branch: work.kind === 'branch' ? (work.branch ?? null) : null,
    commit: work.commit ?? null,
    continues: chain.continues,
    previous: chain.previous,
    continuedAs: chain.continued.as ?? [],
    /** Where its chain ends by now; null: at this run or before it. */
    last: chain.continued.last ?? null,
    chainSpend: chain.spend,
  }));
export type ShownRun = z.output<typeof ShownRun>;
