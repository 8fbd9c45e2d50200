import { LEAST_COST_USD } from '../../schemas/budget/budget-words.ts';
import { noBudgets, type BudgetName, type Budgets, type Use } from '../../schemas/budget/budget.ts';
import type { Ceilings } from '../../schemas/budget/budget.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import { budgetOut, budgetsLeft, type ChainUse, type NewBudgets } from './budgets-left.ts';

const FEW_ROUNDS = 3;
const MINUTE_MS = 60_000;

/** The budget options without which `ralph resume` is rejected or ends at once. Throws RalphError if it is rejected even with them. */
export function budgetFlags(ending: UnreleasedEnding | null, used: ChainUse, most: Ceilings): string {
  const { ceilings, spent, rounds } = used;
  let given: NewBudgets = { maxRounds: null, budgets: noBudgets };
  const flags: string[] = [];
  const give = (budget: BudgetName): void => {
    const { flag, maxRounds, budgets } = newAmount(budget, used, most);
    flags.push(flag);
    given = { maxRounds: maxRounds ?? given.maxRounds, budgets: { ...given.budgets, ...budgets } };
  };
  const out = (): BudgetName | null => {
    const { maxTimeMs, maxTokens, maxCostUsd, maxWaitMs } = given.budgets;
    const reached = budgetOut({
      rounds,
      maxRounds: given.maxRounds === null ? ceilings.maxRounds : null,
      spent,
      budgets: {
        maxTimeMs: maxTimeMs === null ? ceilings.budgets.maxTimeMs : null,
        maxTokens: maxTokens === null ? ceilings.budgets.maxTokens : null,
        maxCostUsd: maxCostUsd === null ? ceilings.budgets.maxCostUsd : null,
        maxWaitMs: maxWaitMs === null ? ceilings.budgets.maxWaitMs : null,
      },
    });
    return reached === null ? null : reached.budget;
  };
  if (ending !== null && ending.status === 'budget-limited') give(ending.budget);
  for (let budget = out(); budget !== null; budget = out()) give(budget);
  budgetsLeft(used, given, most);
  return flags.map((flag) => ` ${flag}`).join('');
}

interface NewAmount {
  readonly flag: string;
  readonly maxRounds: number | null;
  readonly budgets: Partial<Budgets>;
}

/**
 * A new budget: as much as the run had, or used, or as two rounds take, whichever is most, in round figures and within
 * the deployment's ceilings.
 */
function newAmount(budget: BudgetName, { ceilings: had, spent }: ChainUse, most: Ceilings): NewAmount {
  const rounds = (of: keyof Use): number => 2 * Math.max(0, ...spent.recent.map((use) => use[of]));
  switch (budget) {
    case 'rounds': {
      const maxRounds = Math.min(Math.max(had.maxRounds, FEW_ROUNDS), most.maxRounds);
      return { flag: `--max-rounds ${maxRounds}`, maxRounds, budgets: {} };
    }
    case 'time': {
      const maxTimeMs = wholeMinutes(
        had.budgets.maxTimeMs,
        Math.max(spent.timeMs, rounds('timeMs')),
        most.budgets.maxTimeMs,
      );
      return ofBudgets(`--max-time ${durationWord(maxTimeMs)}`, { maxTimeMs });
    }
    case 'wait': {
      // What ended it may be a wait that was longer than all that was left.
      const maxWaitMs = wholeMinutes(2 * (had.budgets.maxWaitMs ?? 0), spent.waitMs, most.budgets.maxWaitMs);
      return ofBudgets(`--max-wait ${durationWord(maxWaitMs)}`, { maxWaitMs });
    }
    case 'tokens': {
      const wanted = twoDigits(Math.max(had.budgets.maxTokens ?? 0, spent.tokens, rounds('tokens'), 1_000));
      const maxTokens = Math.min(wanted, most.budgets.maxTokens ?? wanted);
      return ofBudgets(`--max-tokens ${tokenWord(maxTokens)}`, { maxTokens });
    }
    case 'cost': {
      const wanted = twoDigits(Math.max(had.budgets.maxCostUsd ?? 0, spent.costUsd, rounds('costUsd'), LEAST_COST_USD));
      const maxCostUsd = Math.min(wanted, most.budgets.maxCostUsd ?? wanted);
      return ofBudgets(`--max-cost ${maxCostUsd}`, { maxCostUsd });
    }
    default:
      return budget satisfies never;
  }
}

const ofBudgets = (flag: string, budgets: Partial<Budgets>): NewAmount => ({ flag, maxRounds: null, budgets });

function wholeMinutes(had: number | null, used: number, most: number | null): number {
  const wanted = Math.ceil(Math.max(had ?? 0, used, 1) / MINUTE_MS) * MINUTE_MS;
  return Math.min(wanted, most ?? wanted);
}

function durationWord(ms: number): string {
  if (ms % MINUTE_MS !== 0) return `${Math.floor(ms)}ms`;
  const minutes = ms / MINUTE_MS;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

const tokenWord = (tokens: number): string => {
  if (tokens % 100_000 === 0 && tokens >= 1_000_000) return `${tokens / 1_000_000}M`;
  return tokens % 1_000 === 0 ? `${tokens / 1_000}k` : String(Math.floor(tokens));
};

/** Rounded up: 1.234 becomes 1.3, 48 211 becomes 49 000. */
function twoDigits(amount: number): number {
  const digits = Math.floor(Math.log10(amount)) - 1;
  const unit = 10 ** Math.abs(digits);
  const whole = digits < 0 ? Math.ceil(Number((amount * unit).toFixed(6))) : Math.ceil(amount / unit);
  return digits < 0 ? whole / unit : whole * unit;
}
