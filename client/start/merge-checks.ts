import type { AgentSpec } from '../../schemas/run/agent.ts';
import { parseDuration } from '../../schemas/text/duration.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { DEFAULT_GATE_TIMEOUT_MS, type Gate, type GatePolicy } from '../../schemas/verification/gate.ts';
import { ProtectGlob } from '../../schemas/run/protect-glob.ts';
import type { RepositoryDefaults } from '../../schemas/run/repository-defaults.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { agentSpec } from './agent-spec.ts';
import type { RunOptions } from './run-options.ts';

type Checks = Pick<RunRequest, 'gates' | 'gatePolicy' | 'reviewer'>;

/**
 * How a claim of completion is checked. Gates by flag take the place of the repository's, and how gates are run is for
 * flags alone. Throws RalphError.
 */
export function mergeChecks(options: RunOptions, defaults: RepositoryDefaults, unsandboxed: boolean): Checks {
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
