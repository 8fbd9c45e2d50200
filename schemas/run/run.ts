import { z } from 'zod';
import { AgentSpec } from './agent.ts';
import { Budgets, noBudgets, Use } from '../budget/budget.ts';
import { Gate, GatePolicy, GateTrace, strictGates } from '../verification/gate.ts';
import { handedOn } from '../round/handed-on.ts';
import { Claim, MAX_HANDOFF_CHARS } from '../round/report.ts';
import { Sandbox } from './sandbox.ts';

export const RUN_ID = /^[a-z0-9-]{1,64}$/;
export const RunId = z.string().regex(RUN_ID, 'a run id has 1 to 64 of the characters a-z, 0-9 and -');
export type RunId = z.infer<typeof RunId>;

/** Most UTF-16 code units of an objective; a longer one belongs into a file of the repository. */
export const MAX_OBJECTIVE_CHARS = 65_536;

/** The final text of a run is cut to this many UTF-16 code units, with a mark. The report never is. */
export const MAX_RESULT_CHARS = 16_384;

const Milliseconds = z.int().positive();

/** A run's limits. Defaults stand here and nowhere else; a caller may lower them. */
export const Limits = z.strictObject({
  maxRounds: z.int().positive().default(256),
  maxHandoffChars: z.int().positive().max(MAX_HANDOFF_CHARS).default(MAX_HANDOFF_CHARS),
  maxResultChars: z.int().positive().max(MAX_RESULT_CHARS).default(MAX_RESULT_CHARS),
  roundTimeoutMs: Milliseconds.default(3_600_000),
  /** No output and no work by any child for this long ends the attempt. */
  idleTimeoutMs: Milliseconds.default(1_200_000),
  /** From SIGTERM to SIGKILL. */
  graceMs: z.int().nonnegative().default(10_000),
  roundAttempts: z.int().positive().max(10).default(3),
  reportAttempts: z.int().positive().max(10).default(2),
  /** Claims of completion refused in a row, after which the run has stalled. */
  maxRejections: z.int().positive().default(5),
  /** Rounds in a row that change nothing, after which the run has stalled; 0: never. */
  stallRounds: z.int().nonnegative().default(3),
});
export type Limits = z.infer<typeof Limits>;

const Commit = z.string().regex(/^[0-9a-f]{40}$/);

/** The user's repository as it was when the run started. */
export const RepositoryBase = z.strictObject({
  /** Absolute path of the working tree's top level. */
  path: z.string().min(1),
  /** What the user named (a branch, a tag, HEAD). */
  ref: z.string().min(1),
  /** The commit that it was then. */
  commit: Commit,
});
export type RepositoryBase = z.infer<typeof RepositoryBase>;

/** A claim of completion that nothing has accepted or refused, at the commit that a run begins from. */
export const OpenClaim = z.strictObject({
  /** Whose round made it. */
  runId: RunId,
  round: z.int().positive(),
  report: Claim,
});
export type OpenClaim = z.infer<typeof OpenClaim>;

/** The run that this one goes on from. */
export const Predecessor = z.strictObject({
  runId: RunId,
  /** The first run of the line: its branch is everyone's. */
  root: RunId,
  /** Its last checkpoint: what round 1 begins from. */
  commit: Commit,
  /** For round 1. */
  ...handedOn,
  /** How the gates ended before round 1 of the line; null: not known, so they are run before round 1 of this run. */
  baseline: z.array(GateTrace).nullable().default(null),
  /** To be checked before round 1; null: there is none, or the user has something to say to a worker first. */
  claim: OpenClaim.nullable().default(null),
  /** What its last rounds used: what a round of this run is expected to. */
  recent: z.array(Use).default([]),
});
export type Predecessor = z.infer<typeof Predecessor>;

/** Everything that starts a run. Nothing of it changes afterwards. */
export const RunRequest = z.strictObject({
  runId: RunId,
  objective: z
    .string()
    .max(MAX_OBJECTIVE_CHARS)
    .refine((text) => text.trim() !== '', 'must say something'),
  /** SHA-256 of the objective's UTF-8 bytes, in hex. */
  objectiveHash: z.string().regex(/^[0-9a-f]{64}$/),
  repository: RepositoryBase,
  agent: AgentSpec,
  sandbox: Sandbox,
  /** Shell command run once in the agent's sandbox when the workspace is made. */
  setup: z.string().min(1).nullable(),
  /** Whether agents run the hooks and MCP servers that the repository's own settings for them name. Reviewers never do. */
  repositoryHooks: z.boolean().default(false),
  limits: Limits,
  /** Run in order on a claim of completion; none: the claim stands as a claim. */
  gates: z.array(Gate).default([]),
  gatePolicy: GatePolicy.default(strictGates),
  /** A fresh agent that judges the work once the gates have passed. */
  reviewer: AgentSpec.nullable().default(null),
  /** Takes over an attempt whose agent is limited or down. */
  fallbackAgent: AgentSpec.nullable().default(null),
  budgets: Budgets.default(noBudgets),
  predecessor: Predecessor.nullable().default(null),
  /** Who the checkpoints are committed as. */
  identity: z.strictObject({ name: z.string().min(1), email: z.string().min(1) }),
  /** Id of the machine that holds the workspace; names the task queues of its activities. */
  hostId: z.string().regex(/^[a-z0-9]{8,32}$/),
  requestedAt: z.iso.datetime(),
});
export type RunRequest = z.infer<typeof RunRequest>;

/** The commit that round 1 begins from. */
export const startCommit = ({ repository, predecessor }: Pick<RunRequest, 'repository' | 'predecessor'>): string =>
  predecessor === null ? repository.commit : predecessor.commit;

/**
 * The claim that a run checks before round 1, as round 0: in the place of the baseline, which must be known. Null: it
 * checks none.
 */
export function inheritedClaim({ gates, predecessor }: Pick<RunRequest, 'gates' | 'predecessor'>): OpenClaim | null {
  if (predecessor === null || (gates.length > 0 && predecessor.baseline === null)) return null;
  return predecessor.claim;
}

/** Whether gates of this round are how they end before round 1, and no claim is checked by them. */
export const isBaseline = (request: Pick<RunRequest, 'gates' | 'predecessor'>, round: number): boolean =>
  round === 0 && inheritedClaim(request) === null;

/** The short name of the branch that shows the run's commits. */
export const branchName = ({ runId, predecessor }: Pick<RunRequest, 'runId' | 'predecessor'>): string =>
  `ralph/${predecessor === null ? runId : predecessor.root}`;
