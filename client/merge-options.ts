import type { z } from 'zod';
import type { AgentSpec } from '../schemas/agent.ts';
import { parseDuration } from '../schemas/duration.ts';
import { ralphError } from '../schemas/errors/index.ts';
import { MAX_HANDOFF_CHARS } from '../schemas/report.ts';
import { ModelName, type RepositoryDefaults } from '../schemas/repository-defaults.ts';
import { Limits, type RunRequest } from '../schemas/run.ts';
import type { RunOptions } from './run-options.ts';

const DEFAULT_AGENT = 'claude-code';
const MAX_ATTEMPTS = 10;

/** What a run request takes from options and repository defaults. Flags win; RalphError where they do not go together. */
export function mergeOptions(
  options: RunOptions,
  defaults: RepositoryDefaults,
): Pick<RunRequest, 'agent' | 'sandbox' | 'setup' | 'limits'> & { base: string } {
  const level = options.sandbox ?? defaults.sandbox ?? 'workspace-write';
  return {
    base: options.base ?? defaults.base ?? 'HEAD',
    agent: agentSpec(options, defaults),
    sandbox: { level, network: options.network ?? defaults.network ?? true, readable: [...options.readable] },
    setup: setupCommand(options, defaults, level === 'full-access'),
    limits: limits(options, defaults),
  };
}

function agentSpec({ agent, command, model }: RunOptions, defaults: RepositoryDefaults): AgentSpec {
  if (model !== null && !ModelName.safeParse(model).success) throw ralphError('model-invalid', { model });
  const provider = agent ?? (command === null ? (defaults.agent ?? DEFAULT_AGENT) : 'command');
  if (provider === 'command') {
    if (command === null || command.trim() === '') throw ralphError('agent-command-missing', {});
    if (model !== null) throw ralphError('agent-command-model', {});
    return { provider, command, model: null };
  }
  if (command !== null) throw ralphError('agent-command-unexpected', { agent: provider });
  // The repository's model belongs to the repository's agent: with another one it would be some other program's word.
  const proposed = defaults.agent === undefined || defaults.agent === provider ? (defaults.model ?? null) : null;
  return { provider, command: null, model: model ?? proposed };
}

function setupCommand({ setup }: RunOptions, defaults: RepositoryDefaults, unsandboxed: boolean): string | null {
  if (setup === false) return null;
  if (setup !== null) return setup;
  if (defaults.setup === undefined) return null;
  if (unsandboxed) throw ralphError('repository-setup-unsandboxed', { setup: defaults.setup });
  return defaults.setup;
}

function limits({ limits: asked }: RunOptions, defaults: RepositoryDefaults): Limits {
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
    maxRejections: asked.maxRejections,
    stallRounds: asked.stallRounds,
  };
  const stated: z.input<typeof Limits> = Object.fromEntries(
    Object.entries(proposed).filter(([, value]) => value !== null && value !== undefined),
  );
  return Limits.parse(stated);
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
