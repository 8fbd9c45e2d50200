import { BUDGETS } from '../../client/start/budget-kinds.ts';
import type { RoundRow, RunView } from '../../client/view/run-view.ts';
import { roundsOf } from '../../client/view/spent-by.ts';
import type { Budgets, Spent } from '../../schemas/budget/budget.ts';
import { cost, count, duration, UNKNOWN } from './amounts.ts';
import { fields } from '../terminal/fields.ts';
import { palette } from '../terminal/palette.ts';

/** What a run used and may use, as far as it is known. */
export interface UseOfRun {
  /** Rounds that have ended, also those that count no more. */
  readonly round: number | null;
  readonly maxRounds: number | null;
  readonly spent: Spent | null;
  readonly budgets: Budgets | null;
  /** Rounds that were used and count no more. */
  readonly rolledBack?: readonly Pick<RoundRow, 'round'>[];
}

/** "≈" for what is in part an estimate, "at least" for what in part nobody told. */
function marked(text: string, spent: Spent, untold: number): string {
  return `${untold > 0 ? 'at least ' : ''}${spent.estimated ? '≈' : ''}${text}`;
}

/**
 * Whether nobody has told what was used of it: no round has ended, here or in the run before, that did. Of what has not
 * even begun nothing is known.
 */
const isUntold = ({ recent, timeMs }: Spent, what: 'tokens' | 'costUsd'): boolean =>
  timeMs === 0 || recent.every((use) => use[what] === 0);

function tokensSpent(spent: Spent): string {
  const { tokens, untold } = spent;
  return tokens === 0 && (untold.tokens > 0 || isUntold(spent, 'tokens'))
    ? UNKNOWN
    : marked(count(Math.round(tokens)), spent, untold.tokens);
}

function costSpent(spent: Spent): string {
  const { costUsd, untold } = spent;
  return costUsd === 0 && (untold.costUsd > 0 || isUntold(spent, 'costUsd'))
    ? UNKNOWN
    : marked(cost(costUsd), spent, untold.costUsd);
}

const USED = {
  time: (spent: Spent) => (spent.estimated ? `≈${duration(spent.timeMs)}` : duration(spent.timeMs)),
  tokens: tokensSpent,
  cost: costSpent,
  wait: (spent: Spent) => duration(spent.waitMs),
} as const;

const NAMES = { time: 'Time', tokens: 'Tokens', cost: 'Cost', wait: 'Waited' } as const;

/** "12m of 8h", "unknown, no limit": what is used of each budget. */
function useRows({ spent, budgets }: UseOfRun): { name: string; text: string; isLimited: boolean }[] {
  return BUDGETS.map(({ budget, limit, text }) => {
    const most = budgets === null ? null : budgets[limit];
    const of = budgets === null ? `, ${UNKNOWN}` : most === null ? ', no limit' : ` of ${text(most)}`;
    const used = spent === null ? UNKNOWN : USED[budget](spent);
    return { name: NAMES[budget], text: used + of, isLimited: most !== null };
  });
}

/** The same for the page of a run: in a line, and of each budget that has a limit. */
export function useOfRun(use: UseOfRun): [name: string, value: string][] {
  const limited = useRows(use).filter(({ isLimited }) => isLimited);
  const budgets = fields(
    limited.map(({ name, text }) => [name, text]),
    palette(false),
  );
  const used = usedText(use);
  return [
    [
      'Used',
      [used ?? UNKNOWN, ...useNotes(use).filter((note) => used?.includes('≈') === true && note.startsWith('≈'))].join(
        '\n',
      ),
    ],
    ...(budgets.length === 0 ? [] : [['Budgets', budgets.join('\n')] satisfies [string, string]]),
  ];
}

/** What a reader must know of the amounts. */
function useNotes({ spent }: UseOfRun): string[] {
  if (spent === null) return [];
  const notes: string[] = [];
  if (spent.estimated) {
    notes.push(
      '≈: in part an estimate: by the price table, or for an attempt that was cut short before it told what it used.',
    );
  }
  const untold = [
    ...(spent.untold.tokens > 0 ? [`${spent.untold.tokens} told no tokens`] : []),
    ...(spent.untold.costUsd > 0 ? [`${spent.untold.costUsd} told no cost`] : []),
  ];
  if (untold.length > 0) notes.push(`Of its attempts and reviews ${untold.join(' and ')}: that is in no sum.`);
  if (spent.cacheReadTokens > 0) notes.push(`${count(spent.cacheReadTokens)} tokens more were read from a cache.`);
  return notes;
}

/** The page of `ralph budget RUN`. */
export function budgetPage(run: RunView): string[] {
  return usePage({ ...run, round: run.round === null ? null : roundsOf(run) });
}

export function usePage(use: UseOfRun): string[] {
  const { round, maxRounds, rolledBack = [] } = use;
  const used = round === null ? UNKNOWN : round;
  const back = rolledBack.length === 0 ? '' : ` (${rolledBack.length} of them rolled back: used all the same)`;
  const rounds: [string, string] = ['Rounds', `${used} of ${maxRounds ?? UNKNOWN}${back}`];
  const rows = useRows(use).map(({ name, text }): [string, string] => [name, text]);
  return [...fields([rounds, ...rows], palette(false)), ...useNotes(use)];
}

/** What was used, in one line: "12m of work, 1.2M tokens, $3.20". Null: not known. */
export function usedText({ spent }: Pick<UseOfRun, 'spent'>): string | null {
  if (spent === null) return null;
  const waited = spent.waitMs === 0 ? [] : [`${duration(spent.waitMs)} of waiting`];
  const parts = [`${USED.time(spent)} of work`, `${tokensSpent(spent)} tokens`, `cost ${costSpent(spent)}`, ...waited];
  return parts.join(', ');
}
