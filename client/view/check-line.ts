import { durationText } from '../../schemas/text/duration-text.ts';
import { type GateCheck, passes } from '../../schemas/verification/gate.ts';
import type { GatePolicy, GateResult, GateTrace } from '../../schemas/verification/gate.ts';
import type { ReviewRecord } from '../../schemas/verification/review.ts';
import { gateVerdict } from '../../workflows/gate-refusals.ts';
import type { CheckLine, GateLine } from './run-view.ts';
import { tellingLine } from './telling-line.ts';

/** What a verdict on gates goes by. `baseline`: how they ended before round 1; null: not known. */
export interface Rules {
  readonly policy: GatePolicy;
  readonly baseline: readonly GateTrace[] | null;
  /** Whether round 0 is a claim that the run before left open. */
  readonly inherited: boolean;
}

type Line = Omit<CheckLine, 'kind' | 'round' | 'number' | 'claimOf'>;
const MAX_REASON_CHARS = 300;

/** A run of the gates in short, by the loop's own verdict. */
export function gatesLine(check: GateCheck, { policy, baseline, inherited }: Rules): Line {
  const { startedAt, endedAt } = check;
  if (check.kind === 'failed') return { ...failed(check.fault), gates: [], startedAt, endedAt };
  const isBaseline = check.round === 0 && !inherited;
  const { reasons, excused } = gateVerdict(check, policy, baseline);
  const gates = check.gates.map((gate): GateLine => {
    const { command, exitCode, timedOut, ms, changed } = gate;
    const result = passes(gate) ? 'passed' : !isBaseline && excused.includes(command) ? 'excused' : 'failed';
    const said = result === 'passed' || changed.length > 0 ? null : tellingLine(gate.output);
    return { command, result, exitCode, timedOut, ms, changed, said };
  });
  if (isBaseline) return { result: 'baseline', reasons: [], gates, startedAt, endedAt };
  const { protectedPaths } = check;
  const refusals = [
    ...(protectedPaths.length > 0 ? [`it changed protected paths: ${protectedPaths.join(', ')}`] : []),
    ...check.gates
      .filter((_, i) => gates[i]?.result === 'failed')
      .map((gate) => `${gate.isSetup ? 'setup' : 'gate'} "${gate.command}" ${howItEnded(gate)}`),
  ];
  return { result: reasons.length > 0 ? 'refused' : 'passed', reasons: refusals, gates, startedAt, endedAt };
}

/** How a gate ended, in a few words. */
function howItEnded({ exitCode, timedOut, ms, changed }: GateResult): string {
  if (changed.length > 0) return `changed what it may not: ${changed.join(', ')}`;
  if (timedOut) return `did not end within ${durationText(ms)}`;
  return exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`;
}

/** A review in short. */
export function reviewLine(review: ReviewRecord): Line {
  if (review.kind === 'interrupted') return interruptedLine;
  const { startedAt, endedAt } = review;
  if (review.kind === 'failed') return { ...failed(review.fault), gates: [], startedAt, endedAt };
  const { decision, reasons } = review.review;
  const result = decision === 'accept' ? 'accepted' : 'refused';
  return { result, reasons: decision === 'accept' ? [] : reasons.map(short), gates: [], startedAt, endedAt };
}

const untold = { reasons: [], gates: [], startedAt: null, endedAt: null };
/** One without a record that may be under way. */
export const openLine: Line = { result: 'under-way', ...untold };
/** One without a record that cannot. */
export const interruptedLine: Line = { result: 'interrupted', ...untold };

const failed = ({ code, message }: { code: string; message: string }): Pick<Line, 'result' | 'reasons'> => ({
  result: 'failed',
  reasons: [short(`${code}: ${message}`)],
});

const short = (text: string): string =>
  text.length <= MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS - 1)}…`;
