import { isExcused, passes } from '../schemas/gate.ts';
import type { GateCheck, GatePolicy, GateResult, GateTrace } from '../schemas/gate.ts';

type Checked = Extract<GateCheck, { kind: 'checked' }>;

/** What the gates say of a claim of completion. */
export interface GateVerdict {
  /** Why it is refused, as next steps for the next worker; none: it is not. */
  readonly reasons: readonly string[];
  /** The gate that refuses it; null: none does. */
  readonly failed: GateResult | null;
  /** Gates that fail as they did before round 1, which the run allows. */
  readonly excused: readonly string[];
}

/** @param baseline how the gates ended before round 1; null: not known */
export function gateVerdict(check: Checked, policy: GatePolicy, baseline: readonly GateTrace[] | null): GateVerdict {
  const red = check.gates.filter((gate) => !passes(gate));
  const excused = red.filter((gate) => isExcused(gate, policy, baseline));
  const failed = red.find((gate) => !excused.includes(gate)) ?? null;
  return {
    reasons: [...protectedReason(check.protectedPaths), ...(failed === null ? [] : [gateReason(failed, policy)])],
    failed,
    excused: excused.map(({ command }) => command),
  };
}

function protectedReason(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [`Give these protected paths back as the run found them; it may not change them: ${paths.join(', ')}`];
}

function gateReason({ command, exitCode, timedOut, ms, output }: GateResult, { inPlace }: GatePolicy): string {
  const how = timedOut
    ? `did not end within ${Math.round(ms / 1_000)} s`
    : exitCode === null
      ? 'was ended by a signal'
      : `failed with exit code ${exitCode}`;
  const said = output.trim() === '' ? 'It printed nothing.' : `Its output ends:\n${output.trim()}`;
  const where = inPlace ? 'in the workspace after the round' : 'on a clean checkout';
  return `Make the gate "${command}" pass: the engine ran it ${where} and it ${how}. ${said}`;
}
