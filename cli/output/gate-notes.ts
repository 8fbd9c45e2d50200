import { saysMissing } from '../../client/telling-line.ts';
import type { CheckLine, GateLine, RunView } from '../../client/run-view.ts';
import { printableLine } from './printable.ts';
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

function missing({ result, exitCode, said }: GateLine): string | null {
  if (result !== 'failed') return null;
  if (exitCode === 127) return 'the command was not found';
  if (exitCode === 126) return 'the command cannot be executed';
  return said !== null && saysMissing(said) ? 'what it is to run is not there' : null;
}

/** For `ralph why`: what the gates that are still red said last, unless that is told, and those that can never pass. */
export function gateNotes(run: RunView, told: readonly string[]): string[] {
  const { runId, status, endedAt } = run;
  const last = standingChecks(run).findLast(({ kind, gates }) => kind === 'gates' && gates.length > 0);
  if (last === undefined || status === 'complete') return [];
  const when = last.round === 0 ? 'before round 1' : `after round ${last.round}`;
  const news = last.gates.filter(({ said }) => said !== null && !told.some((text) => text.includes(said)));
  const said = saidLines({ gates: news }).map((line) => `said last ${when}: ${line}`);
  return [...said, ...missingNotes(last, endedAt === null ? endAndStartAnew(runId) : START_ANEW)];
}
