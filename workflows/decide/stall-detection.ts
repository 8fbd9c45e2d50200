import type { Fault } from '../../schemas/round/fault.ts';
import { passes, sameFailure, traceOf, type GateTrace } from '../../schemas/verification/gate.ts';
import { SAME_FAULTS, type Stall, type StallCounters } from '../../schemas/loop/stall.ts';
import type { Limits } from '../../schemas/run/run.ts';
import { several } from '../../schemas/text/several.ts';

/** What is counted, and why the run ends by it; null: it does not. */
interface Counted {
  readonly counters: StallCounters;
  readonly stall: Stall | null;
}

/** Rejections by one gate with one output. */
const SAME_GATE_FAILURES = 5;

/** An attempt ended; `changed`: it changed the tree. */
export const noteChange = (counters: StallCounters, changed: boolean): StallCounters => ({
  ...counters,
  changed: counters.changed || changed,
});

/** A round has ended with a report, or with work that counts as one. */
export function endOfRound(counters: StallCounters, { stallRounds }: Limits): Counted {
  const unchangedRounds = counters.changed ? 0 : counters.unchangedRounds + 1;
  const stall: Stall | null =
    stallRounds > 0 && unchangedRounds >= stallRounds
      ? {
          cause: 'unchanged-tree',
          reason: `${several(unchangedRounds, 'round')} in a row changed nothing that git commits`,
        }
      : null;
  return { counters: { ...counters, unchangedRounds, changed: false, fault: null }, stall };
}

/** A round ended without a completion claim. */
export const noteContinue = (counters: StallCounters): StallCounters => ({ ...counters, rejections: 0 });

/** A completion claim was rejected. @param gate the gate that rejected it; null: something else did */
export function noteRejection(counters: StallCounters, gate: GateTrace | null, { maxRejections }: Limits): Counted {
  const rejections = counters.rejections + 1;
  const again = gate !== null && counters.gate !== null && sameFailure(gate, counters.gate.trace);
  const times = again && counters.gate !== null ? counters.gate.times + 1 : 1;
  const next: StallCounters = {
    ...counters,
    rejections,
    gate: gate === null || passes(gate) ? null : { trace: traceOf(gate), times },
  };
  if (gate !== null && times >= SAME_GATE_FAILURES) {
    const how =
      gate.changed.length > 0
        ? `changed what it may not ${times} times in a row: ${gate.changed.join(', ')}`
        : `failed ${times} times in a row with the same output`;
    const reason = `gate "${gate.command}" ${how}`;
    return { counters: next, stall: { cause: 'same-gate-failure', reason } };
  }
  if (rejections >= maxRejections) {
    const reason =
      rejections === 1 ? 'a completion claim was rejected' : `${rejections} completion claims in a row were rejected`;
    return { counters: next, stall: { cause: 'claims-rejected', reason } };
  }
  return { counters: next, stall: null };
}

/** A fault that is charged to the run. */
export function noteFault(counters: StallCounters, { code, message }: Fault): Counted {
  const text = `${code}: ${message}`;
  const times = counters.fault !== null && counters.fault.text === text ? counters.fault.times + 1 : 1;
  const next: StallCounters = { ...counters, fault: { text, times } };
  if (times < SAME_FAULTS) return { counters: next, stall: null };
  return { counters: next, stall: { cause: 'same-fault', reason: `the same fault ${times} times in a row: ${text}` } };
}
