import { z } from 'zod';
import { AgentSpec } from './agent.ts';
import { Budgets, noBudgets } from '../budget/budget.ts';
import { Gate, GatePolicy, strictGates } from '../verification/gate.ts';
import { MAX_HANDOFF_CHARS } from '../round/report.ts';
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
  /** Completion claims rejected in a row, after which the run has stalled. */
  maxRejections: z.int().positive().default(5),
  /** Rounds in a row that change nothing, after which the run has stalled; 0: never. */
  stallRounds: z.int().nonnegative().default(3),
});
export type Limits = z.infer<typeof Limits>;

const Commit = z.string().regex(/^[0-9a-f]{40}$/);

/** The user's repository as it was when the run started. */
const RepositoryBase = z.strictObject({
  /** Absolute path of the working tree's top level. */
  path: z.string().min(1),
  /** What the user named (a branch, a tag, HEAD). */
  ref: z.string().min(1),
  /** The commit that it was then. */
  commit: Commit,
});

/** The run that this one continues. The state that it begins with travels beside the request (`LoopInput`). */
export const PreviousRun = z.strictObject({
  runId: RunId,
  /** The first run of the chain: its branch is everyone's. */
  root: RunId,
  /** Its last checkpoint: what round 1 begins from. */
  commit: Commit,
  /** Whose completion claim is verified before round 1, as round 0; null: none is. */
  pending: z.strictObject({ runId: RunId, round: z.int().positive() }).nullable(),
});
export type PreviousRun = z.infer<typeof PreviousRun>;

/** Most UTF-16 code units of the user's own ignore rules: they travel with every round. */
export const MAX_IGNORE_CHARS = 16_384;

/** Everything that starts a run. Nothing of it changes afterwards. */
const CurrentRequest = z.strictObject({
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
  previous: PreviousRun.nullable().default(null),
  /** Rules of the user's own by which git ignores files, beside `.gitignore`: as they were at the launch. */
  ignore: z.string().max(MAX_IGNORE_CHARS).default(''),
  /** Who the checkpoints are committed as. */
  identity: z.strictObject({ name: z.string().min(1), email: z.string().min(1) }),
  /** Id of the machine that holds the workspace; names the task queues of its activities. */
  hostId: z.string().regex(/^[a-z0-9]{8,32}$/),
  requestedAt: z.iso.datetime(),
});

/** Also reads a request of 0.1.0, which named the previous run `predecessor` and held its handoff. */
export const RunRequest = z.preprocess(withPreviousRun, CurrentRequest);
export type RunRequest = z.infer<typeof RunRequest>;

const Predecessor = z.object({
  runId: RunId,
  root: RunId,
  commit: Commit,
  claim: z.object({ runId: RunId, round: z.int().positive() }).nullable().default(null),
});

function withPreviousRun(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('predecessor' in value)) return value;
  const { predecessor, ...request } = value;
  const parsed = Predecessor.nullable().safeParse(predecessor);
  if (!parsed.success) return value;
  if (parsed.data === null) return { ...request, previous: null };
  const { claim, ...previous } = parsed.data;
  return { ...request, previous: { ...previous, pending: claim } };
}

/** The commit that round 1 begins from. */
export const startCommit = ({ repository, previous }: Pick<RunRequest, 'repository' | 'previous'>): string =>
  previous === null ? repository.commit : previous.commit;

/** The first run of the chain. */
export const rootOf = ({ runId, previous }: Pick<RunRequest, 'runId' | 'previous'>): string =>
  previous === null ? runId : previous.root;

/** The run that a run continues; null: it is the first of its chain. */
export const previousOf = ({ previous }: Pick<RunRequest, 'previous'>): string | null =>
  previous === null ? null : previous.runId;

/** The short name of the branch that shows the run's commits. */
export const branchName = (request: Pick<RunRequest, 'runId' | 'previous'>): string => `ralph/${rootOf(request)}`;

/** Every agent that a run may start. */
export function agentsOf({
  agent,
  reviewer,
  fallbackAgent,
}: Pick<RunRequest, 'agent' | 'reviewer' | 'fallbackAgent'>): AgentSpec[] {
  return [agent, reviewer, fallbackAgent].filter((spec) => spec !== null);
}

const MAX_TITLE_CHARS = 120;

/** First line of an objective that says something, at most 120 UTF-16 code units. */
export function objectiveTitle(objective: string): string {
  const line = objective.trim().split(/\r?\n/, 1)[0] ?? '';
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1)}…`;
}

export { agentTitle } from './agent-title.ts';

/** The agent and the model that a title names. `model`: null: none was asked for, so the program chose. */
export function agentOfTitle(title: string): { agent: string; model: string | null } {
  const [, agent = title, model = null] = /^(\S+) \((.+)\)$/.exec(title) ?? [];
  return { agent, model };
}
