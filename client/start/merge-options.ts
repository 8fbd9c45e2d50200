import type { z } from 'zod';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { parseDuration } from '../../schemas/text/duration.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { MAX_HANDOFF_CHARS } from '../../schemas/round/report.ts';
import type { RepositoryDefaults } from '../../schemas/run/repository-defaults.ts';
import { Limits, type RunRequest } from '../../schemas/run/run.ts';
import type { Ceilings } from '../../schemas/loop/loop.ts';
import { agentSpec } from './agent-spec.ts';
import { mergeBudgets } from './merge-budgets.ts';
import { mergeChecks } from './merge-checks.ts';
import type { RunOptions } from './run-options.ts';

const DEFAULT_AGENT = 'claude-code';
const MAX_ATTEMPTS = 10;

/** The flags that name the agent of the rounds. */
const AGENT = { agent: '--agent', model: '--model', command: '--command' };
const FALLBACK = { agent: '--fallback-agent', model: '--fallback-model', command: '--fallback-command' };

type Merged = Pick<
  RunRequest,
  | 'agent'
  | 'sandbox'
  | 'setup'
  | 'repositoryHooks'
  | 'limits'
  | 'gates'
  | 'gatePolicy'
  | 'reviewer'
  | 'fallbackAgent'
  | 'budgets'
>;

/**
 * What a run request takes from options and repository defaults. Flags win; RalphError where they do not go together or
 * go beyond the deployment's ceilings.
 */
export function mergeOptions(
  options: RunOptions,
  defaults: RepositoryDefaults,
  ceilings: Ceilings,
): Merged & { base: string } {
  const level = options.sandbox ?? defaults.sandbox ?? 'workspace-write';
  const unsandboxed = level === 'full-access';
  const proposed = { agent: defaults.agent, model: defaults.model };
  const agent = agentSpec(options.agent, { ...proposed, agent: proposed.agent ?? DEFAULT_AGENT }, AGENT);
  if (agent === null) throw new Error('there is a default agent');
  return {
    base: options.base ?? defaults.base ?? 'HEAD',
    agent,
    sandbox: { level, network: options.network ?? defaults.network ?? true, readable: [...options.readable] },
    setup: setupCommand(options, defaults, unsandboxed),
    repositoryHooks: options.repositoryHooks,
    limits: limits(options, defaults, ceilings),
    ...mergeChecks(options, defaults, unsandboxed),
    fallbackAgent: fallbackAgent(options, defaults),
    budgets: mergeBudgets(options, defaults, ceilings.budgets),
  };
}

function fallbackAgent({ fallbackAgent: asked }: RunOptions, defaults: RepositoryDefaults): AgentSpec | null {
  if (asked === false) return null;
  return agentSpec(asked, { agent: defaults.fallbackAgent, model: defaults.fallbackModel }, FALLBACK);
}

function setupCommand({ setup }: RunOptions, defaults: RepositoryDefaults, unsandboxed: boolean): string | null {
  if (setup === false) return null;
  if (setup !== null) return setup;
  if (defaults.setup === undefined) return null;
  if (unsandboxed) throw ralphError('repository-setup-unsandboxed', { setup: defaults.setup });
  return defaults.setup;
}

function limits({ limits: asked }: RunOptions, defaults: RepositoryDefaults, { maxRounds: ceiling }: Ceilings): Limits {
  checkCeilings(asked);
  const proposed: { [Limit in keyof Limits]: Limits[Limit] | null | undefined } = {
    maxRounds: asked.maxRounds ?? defaults.maxRounds,
    maxHandoffChars: asked.maxHandoffChars ?? defaults.maxHandoffChars,
    maxResultChars: asked.maxResultChars,
    roundTimeoutMs: asked.roundTimeoutMs ?? milliseconds(defaults.roundTimeout),
    idleTimeoutMs: asked.idleTimeoutMs ?? milliseconds(defaults.idleTimeout),
    graceMs: asked.graceMs ?? milliseconds(defaults.grace),
    roundAttempts: asked.roundAttempts ?? defaults.roundAttempts,
    reportAttempts: asked.reportAttempts ?? defaults.reportAttempts,
    maxRejections: asked.maxRejections ?? defaults.maxRejections,
    stallRounds: asked.stallRounds ?? defaults.stallRounds,
  };
  const stated: z.input<typeof Limits> = Object.fromEntries(
    Object.entries(proposed).filter(([, value]) => value !== null && value !== undefined),
  );
  const parsed = Limits.parse(stated);
  if (stated.maxRounds === undefined) return { ...parsed, maxRounds: Math.min(parsed.maxRounds, ceiling) };
  if (parsed.maxRounds > ceiling) throw ralphError('max-rounds-over-ceiling', { asked: parsed.maxRounds, ceiling });
  return parsed;
}

function checkCeilings(asked: RunOptions['limits']): void {
  const { maxHandoffChars: chars } = asked;
  if (chars !== null && chars > MAX_HANDOFF_CHARS) {
    throw ralphError('max-handoff-chars-over-ceiling', { asked: chars, ceiling: MAX_HANDOFF_CHARS });
  }
  const attempts = { '--round-attempts': asked.roundAttempts, '--report-attempts': asked.reportAttempts };
  for (const [option, value] of Object.entries(attempts)) {
    if (value !== null && value > MAX_ATTEMPTS) {
      throw ralphError('attempts-over-ceiling', { option, asked: value, ceiling: MAX_ATTEMPTS });
    }
  }
}

function milliseconds(text: string | undefined): number | null {
  return text === undefined ? null : parseDuration(text);
}
