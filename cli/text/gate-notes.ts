import { lastOfEach, missing } from '../../client/view/missing-gates.ts';
import type { CheckLine, GateLine, RunView } from '../../client/view/run-view.ts';
import { printableLine } from '../terminal/printable.ts';
import { standingChecks } from './standing-checks.ts';

/** Of each gate that failed in a check, the line of its output that tells most: "npm test: 2 of 48 tests failed". */
export function saidLines({ gates }: Pick<CheckLine, 'gates'>): string[] {
  return gates.flatMap(({ command, result, said }) =>
    result === 'failed' && said !== null ? [`${printableLine(command)}: ${printableLine(said)}`] : [],
  );
}

/** Gates that failed because what they run is not there: no work on the objective turns them green. `out`: what to do. */
export function missingNotes({ gates }: Pick<CheckLine, 'gates'>, out: string): string[] {
  return gates.flatMap((gate) => {
    const what = missing(gate);
    if (what === null) return [];
    return [`gate "${printableLine(gate.command)}": ${what}: no claim can pass unless a round brings it there. ${out}`];
  });
}

/** While the run goes on. */
export const endAndStartAnew = (runId: string): string =>
  `A slip? The gates of a run are fixed: \`ralph cancel ${runId}\`, and start it anew.`;
const START_ANEW = 'A slip? The runs that go on from it have the same gates: start a new one.';

/** Whether a next step has the end of what this gate printed. */
const isQuoted = (step: string, command: string): boolean =>
  step.includes(`the gate "${command}" pass: `) && step.includes('Its output ends:\n');

/** For `ralph why`: what the gates that are still red said last, unless that is told, or is of long ago. */
export function redNotes(run: RunView, told: readonly string[]): string[] {
  const { status, endedAt, rounds } = run;
  const last = standingChecks(run).findLast(({ kind, gates }) => kind === 'gates' && gates.length > 0);
  if (last === undefined || status === 'complete' || status === 'blocked') return [];
  const isBaseline = last.round === 0 && last.claimOf === null;
  if (isBaseline && (endedAt !== null || rounds.some((round) => round.endedAt !== null))) return [];
  const when = last.round === 0 ? 'before round 1' : `after round ${last.round}`;
  const isTold = ({ command, said }: GateLine): boolean =>
    told.some((text) => (said !== null && text.includes(said)) || isQuoted(text, command));
  const news = last.gates.filter((gate) => !isTold(gate));
  return saidLines({ gates: news }).map((line) => `gate red ${when}: ${line}`);
}

/** Where all is that the gates printed which refused the last claim; what `ralph why` shows of it is an excerpt. */
export function gatesLog(run: RunView): [command: string, what: string][] {
  const { runId, status, rounds } = run;
  const last = standingChecks(run).findLast(({ result }) => result === 'refused');
  if (status === 'complete' || last === undefined || last.kind !== 'gates' || last.gates.length === 0) return [];
  if (last.round < (rounds.at(-1)?.round ?? 0)) return [];
  return [[`ralph log ${runId} --round ${last.round} --gates`, 'all that its gates printed']];
}

/** For `ralph why`: the gates that can never pass, by the last that is known of each. */
export function neverNotes(run: RunView): string[] {
  const { runId, status, endedAt } = run;
  if (status === 'complete') return [];
  return missingNotes({ gates: lastOfEach(run) }, endedAt === null ? endAndStartAnew(runId) : START_ANEW);
}
