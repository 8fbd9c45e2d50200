import { BUDGETS } from '../../client/start/budget-kinds.ts';
import { DEFAULT_GATE_TIMEOUT_MS, type Gate } from '../../schemas/verification/gate.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { Budgets } from '../../schemas/budget/budget.ts';
import { SAME_FAULTS } from '../../schemas/loop/loop.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { agentTitle } from '../../schemas/run/titles.ts';
import { duration, several } from '../text/amounts.ts';
import { printableLine } from '../terminal/printable.ts';

interface Checks extends Pick<RunRequest, 'gatePolicy' | 'reviewer'> {
  readonly gates: readonly Gate[];
}
type Row = [name: string, value: string];

const agentText = (agent: AgentSpec): string => printableLine(agent.command ?? agentTitle(agent));

/** What checks a claim of completion, in rows; nothing where nothing does. */
export function checkRows({ gates, gatePolicy, reviewer }: Checks): Row[] {
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

/** The budgets that there are, in one line: "at most 8h, 5,000,000 tokens, $20.00, and 2h of waiting". Null: none. */
export function budgetsText(budgets: Budgets): string | null {
  const texts = BUDGETS.flatMap(({ budget, limit, text }) => {
    const value = budgets[limit];
    if (value === null) return [];
    return budget === 'wait'
      ? [`${text(value)} of waiting`]
      : [budget === 'time' ? `${text(value)} of work` : text(value)];
  });
  return texts.length === 0 ? null : texts.join(', ');
}

/** What makes a run stalled. `isChecked`: whether claims can be refused. */
export function stallText(limits: RunRequest['limits'], isChecked: boolean): string | null {
  const { stallRounds, maxRejections, roundAttempts, reportAttempts } = limits;
  const causes = [
    ...(stallRounds === 0 ? [] : [`${several(stallRounds, 'round')} without a change`]),
    ...(isChecked ? [several(maxRejections, 'refused claim')] : []),
    // With fewer attempts a round, the round fails at that fault.
    ...(Math.max(roundAttempts, reportAttempts) > SAME_FAULTS ? [`one fault ${SAME_FAULTS} times`] : []),
  ];
  return causes.length === 0 ? null : `after ${causes.join(', or ')}, in a row`;
}
