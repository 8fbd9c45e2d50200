import path from 'node:path';
import type { AskedAgent } from '../../client/start/agent-spec.ts';
import type { RunOptions } from '../../client/start/run-options.ts';
import type { ProviderName } from '../../schemas/run/agent.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { RunFlags } from './run-flags.ts';

/** An empty text is what a script's unset variable makes, and never meant. */
function rejectEmpty({ repo, read, setup, gate, protect }: RunFlags): void {
  const given = {
    '--repo': [repo],
    '--setup': [setup],
    '--read': read ?? [],
    '--gate': gate || [],
    '--protect': protect ?? [],
  };
  for (const [option, values] of Object.entries(given)) {
    const isEmpty = values.some((value) => typeof value === 'string' && value.trim() === '');
    if (isEmpty) throw ralphError('option-empty', { option });
  }
}

const orNull = <Value>(value: Value | undefined): Value | null => (value === undefined ? null : value);

/** An agent that may be left out: false where it is. */
function named(
  name: 'reviewer' | 'fallback',
  agent: ProviderName | false | undefined,
  { model, command }: { model: string | undefined; command: string | undefined },
): AskedAgent | false {
  if (agent !== false) return { agent: orNull(agent), model: orNull(model), command: orNull(command) };
  const idle = model === undefined ? (command === undefined ? null : 'command') : 'model';
  const option = name === 'reviewer' ? '--no-reviewer' : '--no-fallback-agent';
  if (idle !== null) throw ralphError('options-contradict', { options: [option, `--${name}-${idle}`] });
  return false;
}

/** What the flags ask for; null where they say nothing. Paths become absolute. */
export function runOptions(flags: RunFlags, known: { objective: string; cwd: string }): RunOptions {
  const { objective, cwd } = known;
  rejectEmpty(flags);
  return {
    objective,
    repository: path.resolve(cwd, flags.repo === undefined ? '.' : flags.repo),
    base: orNull(flags.base),
    agent: { agent: orNull(flags.agent), model: orNull(flags.model), command: orNull(flags.command) },
    sandbox: orNull(flags.sandbox),
    network: orNull(flags.network),
    readable: (flags.read ?? []).map((each) => path.resolve(cwd, each)),
    setup: orNull(flags.setup),
    repositoryHooks: flags.repositoryHooks === true,
    checks: {
      gates: orNull(flags.gate),
      gateTimeoutMs: orNull(flags.gateTimeout),
      inPlace: flags.gateInPlace === true,
      baseline: orNull(flags.gateBaseline),
      protect: orNull(flags.protect),
    },
    reviewer: named('reviewer', flags.reviewer, { model: flags.reviewerModel, command: flags.reviewerCommand }),
    fallbackAgent: named('fallback', flags.fallbackAgent, {
      model: flags.fallbackModel,
      command: flags.fallbackCommand,
    }),
    budgets: {
      maxTimeMs: orNull(flags.maxTime),
      maxTokens: orNull(flags.maxTokens),
      maxCostUsd: orNull(flags.maxCost),
      maxWaitMs: orNull(flags.maxWait),
    },
    runId: orNull(flags.id),
    limits: {
      maxRounds: orNull(flags.maxRounds),
      maxHandoffChars: orNull(flags.maxHandoffChars),
      maxResultChars: null,
      roundTimeoutMs: orNull(flags.roundTimeout),
      idleTimeoutMs: orNull(flags.idleTimeout),
      graceMs: orNull(flags.grace),
      roundAttempts: orNull(flags.roundAttempts),
      reportAttempts: orNull(flags.reportAttempts),
      maxRejections: orNull(flags.maxRejections),
      stallRounds: orNull(flags.stallRounds),
    },
  };
}
