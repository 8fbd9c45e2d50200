import type { Fault } from '../schemas/round/fault.ts';
import { passes, sameFailure, traceOf, type GateTrace } from '../schemas/verification/gate.ts';
import { SAME_FAULTS, type StopLoss } from '../schemas/loop/loop.ts';
import type { StallCause } from '../schemas/run/result.ts';
import type { Limits } from '../schemas/run/run.ts';
import { several } from '../schemas/text/several.ts';

/** Why a run that turns in place ends. */
export interface Stall {
  readonly cause: StallCause;
  readonly reason: string;
}

/** Refusals by one gate with one output. */
const SAME_GATE_FAILURES = 5;

/** An attempt has ended; `changed`: it left the tree otherwise than it found it. */
export const noteChange = (loss: StopLoss, changed: boolean): StopLoss => ({
  ...loss,
  changed: loss.changed || changed,
});

/** A round has ended with a report, or with work that counts as one. */
export function endOfRound(loss: StopLoss, { stallRounds }: Limits): { loss: StopLoss; stall: Stall | null } {
  const unchangedRounds = loss.changed ? 0 : loss.unchangedRounds + 1;
  const stall: Stall | null =
    stallRounds > 0 && unchangedRounds >= stallRounds
      ? {
          cause: 'unchanged-tree',
          reason: `${several(unchangedRounds, 'round')} in a row changed nothing that git commits`,
        }
      : null;
  return { loss: { ...loss, unchangedRounds, changed: false, fault: null }, stall };
}

/** A round went on without claiming completion. */
export const noteContinue = (loss: StopLoss): StopLoss => ({ ...loss, rejections: 0 });

/** A claim of completion was refused. @param gate the gate that refused it; null: something else did */
export function noteRefusal(
  loss: StopLoss,
  gate: GateTrace | null,
  { maxRejections }: Limits,
): { loss: StopLoss; stall: Stall | null } {
  const rejections = loss.rejections + 1;
  const again = gate !== null && loss.gate !== null && sameFailure(gate, loss.gate.trace);
  const times = again && loss.gate !== null ? loss.gate.times + 1 : 1;
  const next: StopLoss = {
    ...loss,
    rejections,
    gate: gate === null || passes(gate) ? null : { trace: traceOf(gate), times },
  };
  if (gate !== null && times >= SAME_GATE_FAILURES) {
    const how =
      gate.changed.length > 0
        ? `changed what it may not ${times} times in a row: ${gate.changed.join(', ')}`
        : `failed ${times} times in a row with the same output`;
    const reason = `gate "${gate.command}" ${how}`;
    return { loss: next, stall: { cause: 'same-gate-failure', reason } };
  }
  if (rejections >= maxRejections) {
    const reason =
      rejections === 1
        ? 'a claim of completion was refused'
        : `${rejections} claims of completion in a row were refused`;
    return { loss: next, stall: { cause: 'claims-refused', reason } };
  }
  return { loss: next, stall: null };
}

/** A fault that is charged to the run. */
export function noteFault(loss: StopLoss, { code, message }: Fault): { loss: StopLoss; stall: Stall | null } {
  const text = `${code}: ${message}`;
  const times = loss.fault !== null && loss.fault.text === text ? loss.fault.times + 1 : 1;
  const next: StopLoss = { ...loss, fault: { text, times } };
  if (times < SAME_FAULTS) return { loss: next, stall: null };
  return { loss: next, stall: { cause: 'same-fault', reason: `the same fault ${times} times in a row: ${text}` } };
}
