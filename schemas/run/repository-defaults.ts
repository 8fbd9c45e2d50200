import { z } from 'zod';
import { ProviderName } from './agent.ts';
import { budgetWords } from '../budget/budget-words.ts';
import { Duration } from '../text/duration.ts';
import { ProtectGlob, ShellCommand } from '../verification/gate.ts';
import { Limits } from './run.ts';

/** The file of a repository's defaults, in the top folder of the user's checkout. */
export const REPOSITORY_DEFAULTS_FILE = 'ralph.json';

/** Most bytes that file may hold. */
export const MAX_REPOSITORY_DEFAULTS_BYTES = 65_536;

const limits = Limits.shape;
const AgentName = ProviderName.exclude(['command']);
/** A repository may make stop-loss more patient, within reason, and never switch it off. */
const Patience = z.int().positive().max(10);
const MAX_GATES = 20;
const MAX_GLOBS = 50;

const ProposedGate = z.union(
  [ShellCommand, z.strictObject({ command: ShellCommand, timeout: Duration.optional() })],
  'must be a command, or { "command": …, "timeout": "20m" }',
);

/** A model's name: one word that no program can take for an option. */
export const ModelName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@[\]-]{0,199}$/, 'must be one word that starts with a letter or a digit');

/**
 * `ralph.json`: what a repository proposes for runs on it. Data only, and a cloned repository may be hostile: it can
 * name neither an agent's command nor a sandbox that is weaker than the default, and it cannot weaken how gates are run
 * or switch stop-loss off. Whoever starts the run has the last word, by flags.
 */
export const RepositoryDefaults = z
  .strictObject({
    $schema: z.string().optional().meta({ description: 'Where an editor finds this schema; not read.' }),
    agent: AgentName.optional().meta({ description: 'Which agent does the rounds.' }),
    model: ModelName.optional().meta({ description: "The agent's model; its own default where absent." }),
    base: z
      .string()
      .min(1)
      .regex(/^[^-]/, 'must not start with "-"')
      .optional()
      .meta({ description: 'Branch, tag or commit that runs begin from. Default: HEAD.' }),
    setup: ShellCommand.optional().meta({
      description: "Shell command run once, in the agent's sandbox, when the workspace is made.",
    }),
    sandbox: z
      .enum(['read-only', 'workspace-write'])
      .optional()
      .meta({ description: 'What a round may write. Never weaker than the default, "workspace-write".' }),
    network: z.literal(false).optional().meta({ description: 'false: rounds have no network.' }),
    maxRounds: z.int().positive().optional().meta({ description: 'Most rounds of a run.' }),
    roundTimeout: Duration.optional().meta({ description: 'Longest duration of a round. Default: 1h.' }),
    idleTimeout: Duration.optional().meta({ description: 'Longest silence without work in a round. Default: 20m.' }),
    grace: Duration.optional().meta({ description: 'From SIGTERM to SIGKILL. Default: 10s.' }),
    roundAttempts: limits.roundAttempts
      .unwrap()
      .optional()
      .meta({ description: 'Agents started for one round before the run fails. Default: 3.' }),
    reportAttempts: limits.reportAttempts
      .unwrap()
      .optional()
      .meta({ description: 'Agents started for one round whose reports break the contract. Default: 2.' }),
    gates: z.array(ProposedGate).max(MAX_GATES).optional().meta({
      description:
        "Shell commands that check a claim of completion, run in order in the agent's sandbox. Timeout: 20m each.",
    }),
    protect: z
      .array(ProtectGlob)
      .max(MAX_GLOBS)
      .optional()
      .meta({ description: "Git's globs of paths that a completion may not have changed." }),
    reviewer: AgentName.optional().meta({ description: 'Agent that reviews a claim of completion.' }),
    reviewerModel: ModelName.optional().meta({ description: "The reviewer's model." }),
    maxRejections: Patience.optional().meta({
      description: 'Claims of completion refused in a row, after which the run has stalled. Default: 5.',
    }),
    stallRounds: Patience.optional().meta({
      description: 'Rounds in a row that change nothing, after which the run has stalled. Default: 3.',
    }),
    fallbackAgent: AgentName.optional().meta({ description: 'Takes over where the agent is limited or down.' }),
    fallbackModel: ModelName.optional().meta({ description: "The fallback agent's model." }),
    maxTime: budgetWords.maxTime.meta({ description: 'Most time worked, without waits.' }),
    maxTokens: budgetWords.maxTokens.meta({ description: 'Most tokens: input, output and cache writes.' }),
    maxCost: budgetWords.maxCost.meta({ description: 'Highest cost, in US dollars.' }),
    maxWait: budgetWords.maxWait.meta({ description: 'Most time waited, all together.' }),
    maxHandoffChars: limits.maxHandoffChars
      .unwrap()
      .optional()
      .meta({ description: "Most UTF-16 code units of a round's report. Default: 16384." }),
  })
  .meta({ title: 'ralph.json', description: "A repository's defaults for durable-ralph. Flags win." });
export type RepositoryDefaults = z.infer<typeof RepositoryDefaults>;
