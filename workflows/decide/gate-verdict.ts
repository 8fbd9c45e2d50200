import { durationText } from '../../schemas/text/duration.ts';
import { isExcused, passes } from '../../schemas/verification/gate.ts';
import type { Gate, GateCheck, GatePolicy, GateResult, GateTrace } from '../../schemas/verification/gate.ts';

type Checked = Extract<GateCheck, { kind: 'checked' }>;

/** What the gates say of a completion claim. */
export interface GateVerdict {
  /** Why it is rejected, as next steps for the next agent; none: it is not. */
  readonly reasons: readonly string[];
  /** The gate that rejects it; null: none does. */
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

const OUTPUT_ENDS = 'Its output ends:\n';
const toPass = (command: string): string => `the gate "${command}" pass`;

/** Whether a next step quotes what a command printed. */
export const quotesOutput = (step: string): boolean => step.includes(OUTPUT_ENDS);

/** Whether a next step quotes what this gate printed. */
export const quotesGate = (step: string, command: string): boolean =>
  step.includes(`${toPass(command)}: `) && quotesOutput(step);

function gateReason(gate: GateResult, { inPlace }: GatePolicy): string {
  const { command, isSetup, output } = gate;
  const said = output.trim() === '' ? 'It printed nothing.' : `${OUTPUT_ENDS}${output.trim()}`;
  const where = inPlace ? 'in the workspace after the round' : 'on a clean checkout';
  const what = isSetup ? `the setup "${command}" work` : toPass(command);
  return `Make ${what}: the engine ran it ${where} and it ${howItFailed(gate)}. ${said}`;
}

function howItFailed({ exitCode, timedOut, changed, ms }: GateResult): string {
  if (changed.length > 0) return `changed files that it may not: ${changed.join(', ')}`;
  if (timedOut) return `did not end within ${durationText(ms)}`;
  return exitCode === null ? 'was ended by a signal' : `failed with exit code ${exitCode}`;
}

/** Whether a check ran every gate that was asked for, in order: whatever else an activity returns cannot accept a claim. */
export function ranAllGates(ran: readonly GateResult[], asked: readonly Gate[]): boolean {
  return (
    ran.length === asked.length &&
    ran.every(({ gate, command }, index) => (gate === null ? command === asked[index]?.command : gate === index))
  );
}
