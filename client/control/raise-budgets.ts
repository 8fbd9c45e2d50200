import type { Budgets } from '../../schemas/budget/budget.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { Ceilings } from '../../schemas/budget/budget.ts';
import { several } from '../../schemas/text/several.ts';
import type { Control } from '../../schemas/loop/control.ts';
import { noBudgets } from '../../schemas/budget/budget.ts';
import path from 'node:path';
import { homePaths } from '../../host/home-paths.ts';
import { readJson, writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { BUDGETS } from '../start/budget-kinds.ts';

/** What to add; null: nothing. */
export interface Additions {
  readonly rounds: number | null;
  readonly budgets: Budgets;
}

export type Raise = Extract<Control, { kind: 'raise' }>;

/**
 * New totals of a run's budgets: what it has plus what is added. `unlimited`: budgets without a limit, to which nothing
 * can be added. Throws RalphError if a total would be above the deployment's ceiling.
 */
export function raiseBudgets(
  now: Ceilings,
  { rounds, budgets: added }: Additions,
  ceilings: Ceilings,
): { raise: Raise | null; unlimited: readonly string[] } {
  const maxRounds = rounds === null ? null : now.maxRounds + rounds;
  if (maxRounds !== null) {
    const facts = { asked: maxRounds, has: now.maxRounds, ceiling: ceilings.maxRounds };
    rejectOver({ ...facts, option: '--add-rounds', key: 'maxRounds', text: (many) => several(many, 'round') });
  }
  const budgets: Budgets = { ...noBudgets };
  const unlimited: string[] = [];
  for (const { budget, limit, key, option, text } of BUDGETS) {
    const more = added[limit];
    const has = now.budgets[limit];
    if (more === null) continue;
    if (has === null) {
      unlimited.push(budget);
      continue;
    }
    const asked = has + more;
    const facts = { asked, has, ceiling: ceilings.budgets[limit] };
    rejectOver({ ...facts, option: option.replace('--max-', '--add-'), key, text });
    budgets[limit] = asked;
  }
  const nothing = maxRounds === null && BUDGETS.every(({ limit }) => budgets[limit] === null);
  return { raise: nothing ? null : { kind: 'raise', maxRounds, budgets }, unlimited };
}

function rejectOver(raised: {
  asked: number;
  has: number;
  ceiling: number | null;
  option: string;
  key: string;
  text: (amount: number) => string;
}): void {
  const { asked, has, ceiling, option, key, text } = raised;
  if (ceiling === null || asked <= ceiling) return;
  const left = has < ceiling ? text(ceiling - has) : null;
  throw ralphError('raise-over-ceiling', {
    option,
    key,
    has: text(has),
    asked: text(asked),
    ceiling: text(ceiling),
    left,
  });
}

/** Whether a run has applied the raised budgets. */
export function areRaised(now: Ceilings, { maxRounds, budgets }: Pick<Raise, 'maxRounds' | 'budgets'>): boolean {
  const reached = BUDGETS.every(({ limit }) => {
    const asked = budgets[limit];
    const has = now.budgets[limit];
    return asked === null || has === null || has >= asked;
  });
  return reached && (maxRounds === null || now.maxRounds >= maxRounds);
}

/** The totals that were last sent to a run from here, whether or not it has applied them. Null: none were sent. */
export function raisesSent(ralphHome: string, runId: string): Promise<Ceilings | null> {
  return readJson(fileOf(ralphHome, runId), Ceilings);
}

/** Write down that these totals were sent to a run. */
export async function noteRaise(ralphHome: string, runId: string, sent: Ceilings): Promise<void> {
  await writeJsonAtomically(fileOf(ralphHome, runId), sent);
}

const fileOf = (ralphHome: string, runId: string): string =>
  path.join(homePaths(ralphHome).lines, `${runId}.raised.json`);
