import { LEAST_COST_USD } from '../../schemas/budget/budget-words.ts';
import type { BudgetName, Budgets, Use } from '../../schemas/budget/budget.ts';
import type { Ceilings } from '../../schemas/loop/loop.ts';
import type { UsedBefore } from '../view/used-before.ts';

const FEW_ROUNDS = 3;
const MINUTE_MS = 60_000;

/**
 * A budget given anew: as much as the run had, or used, or two rounds take, whichever is most, in round figures and within
 * the ceilings.
 */
export interface NewAmount {
  readonly flag: string;
  readonly maxRounds: number | null;
  readonly budgets: Partial<Budgets>;
}

export function sensibleAmount(
  budget: BudgetName,
  { request, ceilings, spent }: UsedBefore,
  most: Ceilings,
): NewAmount {
  const had = ceilings ?? { maxRounds: request.limits.maxRounds, budgets: request.budgets };
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
