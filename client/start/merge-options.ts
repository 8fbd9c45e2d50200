import type { z } from 'zod';
import { budgetsOf } from '../../schemas/budget/budget-words.ts';
import type { Budgets } from '../../schemas/budget/budget.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { parseDuration } from '../../schemas/text/duration.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { DEFAULT_GATE_TIMEOUT_MS, type Gate, type GatePolicy, ProtectGlob } from '../../schemas/verification/gate.ts';
import { MAX_HANDOFF_CHARS } from '../../schemas/round/report.ts';
import type { RepositoryDefaults } from '../../schemas/run/repository-defaults.ts';
import { Limits, type RunRequest } from '../../schemas/run/run.ts';
import type { Ceilings } from '../../schemas/budget/budget.ts';
import { agentSpec } from './agent-spec.ts';
import { BUDGETS, rejectOverCeiling } from './budget-kinds.ts';
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

/** The budgets of a run: flags, else the repository's, else the deployment's ceilings. Throws RalphError. */
function mergeBudgets({ budgets: asked }: RunOptions, defaults: RepositoryDefaults, ceilings: Budgets): Budgets {
  const proposed = budgetsOf(defaults);
  const merged = { ...ceilings };
  for (const { limit } of BUDGETS) merged[limit] = asked[limit] ?? proposed[limit] ?? ceilings[limit];
  rejectOverCeiling(merged, ceilings);
  return merged;
}

type Checks = Pick<RunRequest, 'gates' | 'gatePolicy' | 'reviewer'>;

/**
 * How a completion claim is verified. Gates given by flag replace the repository's, and only flags say how gates are
 * run. Throws RalphError.
 */
function mergeChecks(options: RunOptions, defaults: RepositoryDefaults, unsandboxed: boolean): Checks {
  const gates = gatesOf(options, defaults, unsandboxed);
  return { gates, gatePolicy: policyOf(options, defaults, gates), reviewer: reviewerOf(options, defaults) };
}

function gatesOf({ checks }: RunOptions, defaults: RepositoryDefaults, unsandboxed: boolean): Gate[] {
  const { gates, gateTimeoutMs } = checks;
  if (gates === false) return [];
  if (gates !== null) return gates.map((command) => ({ command, timeoutMs: gateTimeoutMs ?? DEFAULT_GATE_TIMEOUT_MS }));
  const proposed = (defaults.gates ?? []).map((gate) => {
    const { command, timeout } = typeof gate === 'string' ? { command: gate, timeout: undefined } : gate;
    const own = timeout === undefined ? null : parseDuration(timeout);
    return { command, timeoutMs: gateTimeoutMs ?? own ?? DEFAULT_GATE_TIMEOUT_MS };
  });
  if (unsandboxed && proposed.length > 0) {
    throw ralphError('repository-gates-unsandboxed', { gates: proposed.map(({ command }) => command) });
  }
  return proposed;
}

function policyOf({ checks }: RunOptions, defaults: RepositoryDefaults, gates: readonly Gate[]): GatePolicy {
  const { gateTimeoutMs, inPlace, baseline, protect } = checks;
  const given = { '--gate-timeout': gateTimeoutMs !== null, '--gate-in-place': inPlace, '--gate-baseline': baseline };
  const idle =
    gates.length > 0 ? undefined : Object.entries(given).find(([, value]) => value !== null && value !== false);
  if (idle !== undefined) throw ralphError('option-alone', { option: idle[0], needed: '--gate' });
  for (const glob of protect ?? []) {
    const checked = ProtectGlob.safeParse(glob);
    if (checked.success) continue;
    throw ralphError('protect-invalid', {
      glob,
      why: checked.error.issues.map(({ message }) => message).join('; it '),
    });
  }
  return {
    inPlace,
    allowRedBaseline: baseline === 'allow-red',
    protect: [...new Set(protect ?? defaults.protect ?? [])],
  };
}

function reviewerOf({ reviewer }: RunOptions, defaults: RepositoryDefaults): AgentSpec | null {
  if (reviewer === false) return null;
  const flags = { agent: '--reviewer', model: '--reviewer-model', command: '--reviewer-command' };
  return agentSpec(reviewer, { agent: defaults.reviewer, model: defaults.reviewerModel }, flags);
}

function milliseconds(text: string | undefined): number | null {
  return text === undefined ? null : parseDuration(text);
}
