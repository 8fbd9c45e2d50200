import { several, duration } from '../../client/describe/amounts.ts';
import { BUDGETS } from '../../client/start/budget-kinds.ts';
import type { Budgets } from '../../schemas/budget/budget.ts';
import { SAME_FAULTS } from '../../schemas/loop/stall.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { agentTitle, type RunRequest } from '../../schemas/run/run.ts';
import { DEFAULT_GATE_TIMEOUT_MS } from '../../schemas/verification/gate.ts';
import { fields } from '../terminal/layout.ts';
import { palette, type Palette } from '../terminal/palette.ts';
import { printableLine } from '../../system/printable.ts';

type Row = [name: string, value: string];

/** What was started, as it was frozen: also what a repository's ralph.json asked for. */
export function runBegin(request: RunRequest, paint: Palette): string[] {
  const { runId, repository, agent, sandbox, setup, limits, fallbackAgent, budgets, previous } = request;
  const facts = [
    `agent: ${printableLine(agentTitle(agent))}`,
    ...(fallbackAgent === null ? [] : [`fallback agent: ${printableLine(agentTitle(fallbackAgent))}`]),
    `sandbox: ${sandbox.level}${sandbox.network ? '' : ' without network'}`,
  ];
  const limited = [`at most ${several(limits.maxRounds, 'round')}`, budgetsText(budgets)].filter(
    (text) => text !== null,
  );
  const checks = checkRows(request);
  const isChecked = checks.length > 0;
  const stalled = stallText(limits, isChecked);
  const pending = previous === null ? null : previous.pending;
  const rows: Row[] = [
    ...(pending === null
      ? []
      : [['First', `verify the completion claim of round ${pending.round} of ${pending.runId}`] satisfies Row]),
    ...(setup === null ? [] : [['Setup', printableLine(setup)] satisfies Row]),
    ...(isChecked ? checks : [['Checked by', 'nothing: the agent decides when it is complete'] satisfies Row]),
    ['Budget', limited.join(', ')],
    ...(stalled === null ? [] : [['Stalls', stalled] satisfies Row]),
  ];
  return [
    `Run ${paint.strong(runId)} on ${printableLine(repository.path)} ${origin(request)}`,
    ...[facts.join(', '), ...fields(rows, palette(false))]
      .flatMap((text) => text.split('\n'))
      .map((line) => paint.faint(line)),
    paint.faint(`Ctrl-C detaches; the run continues. \`ralph cancel ${runId}\` ends it.`),
    '',
  ];
}

function origin({ repository, previous }: RunRequest): string {
  if (previous === null) return `from ${printableLine(repository.ref)} (${repository.commit.slice(0, 7)})`;
  return `continues ${previous.runId} (${previous.commit.slice(0, 7)})`;
}

const agentText = (agent: AgentSpec): string => printableLine(agent.command ?? agentTitle(agent));

/** What verifies a completion claim, in rows; none where nothing does. */
export function checkRows({
  gates,
  gatePolicy,
  reviewer,
}: Pick<RunRequest, 'gates' | 'gatePolicy' | 'reviewer'>): Row[] {
  const { inPlace, allowRedBaseline, protect } = gatePolicy;
  const rows: Row[] = [];
  if (gates.length > 0) {
    const commands = gates.map(({ command, timeoutMs }) => {
      const within = timeoutMs === DEFAULT_GATE_TIMEOUT_MS ? '' : ` (within ${duration(timeoutMs)})`;
      return printableLine(command) + within;
    });
    const how = [
      inPlace ? 'in the workspace as the agent left it' : 'on a clean checkout',
      ...(allowRedBaseline ? ['a gate may fail as it did before round 1'] : []),
    ];
    rows.push(['Gates', `${commands.join('\n')}\n(${how.join('; ')})`]);
  }
  if (protect.length > 0) rows.push(['Protected', protect.map((glob) => printableLine(glob)).join(', ')]);
  if (reviewer !== null) rows.push(['Reviewer', agentText(reviewer)]);
  return rows;
}

/** The budgets that there are, in one line: "8h of work, 5,000,000 tokens, $20.00, 2h of waiting". Null: none. */
function budgetsText(budgets: Budgets): string | null {
  const texts = BUDGETS.flatMap(({ budget, limit, text }) => {
    const value = budgets[limit];
    if (value === null) return [];
    if (budget === 'wait') return [`${text(value)} of waiting`];
    return [budget === 'time' ? `${text(value)} of work` : text(value)];
  });
  return texts.length === 0 ? null : texts.join(', ');
}

/** What makes a run stall. `isChecked`: whether completion claims can be rejected. */
function stallText(limits: RunRequest['limits'], isChecked: boolean): string | null {
  const { stallRounds, maxRejections, roundAttempts, reportAttempts } = limits;
  const causes = [
    ...(stallRounds === 0 ? [] : [`${several(stallRounds, 'round')} without a change`]),
    ...(isChecked ? [several(maxRejections, 'rejected completion claim')] : []),
    // With fewer attempts a round, the round fails at that fault.
    ...(Math.max(roundAttempts, reportAttempts) > SAME_FAULTS ? [`the same fault ${SAME_FAULTS} times`] : []),
  ];
  return causes.length === 0 ? null : `after ${causes.join(' or ')} in a row`;
}
