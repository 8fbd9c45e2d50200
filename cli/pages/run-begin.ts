import { several } from '../text/amounts.ts';
import { inheritedClaim, type OpenClaim, type RunRequest } from '../../schemas/run/run.ts';
import { agentTitle } from '../../schemas/run/titles.ts';
import { fields } from '../terminal/fields.ts';
import { palette, type Palette } from '../terminal/palette.ts';
import { budgetsText, checkRows, stallText } from './plan-lines.ts';
import { printableLine } from '../terminal/printable.ts';

/** What was started, as it was frozen: also what a repository's ralph.json asked for. */
export function runBegin(request: RunRequest, paint: Palette): string[] {
  const { runId, repository, agent, sandbox, setup, limits, fallbackAgent, budgets } = request;
  const facts = [
    `agent ${printableLine(agentTitle(agent))}`,
    ...(fallbackAgent === null ? [] : [`in its place where it is limited ${printableLine(agentTitle(fallbackAgent))}`]),
    `sandbox ${sandbox.level}${sandbox.network ? '' : ' without network'}`,
  ];
  const limited = [`at most ${several(limits.maxRounds, 'round')}`, budgetsText(budgets)].filter(
    (text) => text !== null,
  );
  const checks = checkRows(request);
  const isChecked = checks.length > 0;
  const stalled = stallText(limits, isChecked);
  const checked: [string, string][] = isChecked ? checks : [['Checked by', 'nothing: complete is what the agent says']];
  const claim = inheritedClaim(request);
  const rows: [string, string][] = [
    ...(claim === null
      ? []
      : [['First', `the claim of completion of ${claimed(claim)} is checked`] satisfies [string, string]]),
    ...(setup === null ? [] : [['Setup', printableLine(setup)] satisfies [string, string]]),
    ...checked,
    ['Budget', limited.join(', ')],
    ...(stalled === null ? [] : [['Stalled', stalled] satisfies [string, string]]),
  ];
  return [
    `Run ${paint.strong(runId)} on ${printableLine(repository.path)} ${origin(request)}`,
    ...[facts.join(', '), ...fields(rows, palette(false))]
      .flatMap((text) => text.split('\n'))
      .map((line) => paint.faint(line)),
    paint.faint(`Ctrl-C detaches and the run goes on; \`ralph cancel ${runId}\` ends it.`),
    '',
  ];
}

const claimed = ({ runId, round }: OpenClaim): string => `round ${round} of ${printableLine(runId)}`;

function origin({ repository, predecessor }: RunRequest): string {
  if (predecessor === null) return `from ${printableLine(repository.ref)} (${repository.commit.slice(0, 7)})`;
  return `goes on from ${predecessor.runId} (${predecessor.commit.slice(0, 7)})`;
}
