import type { Budgets } from '../schemas/budget/budget.ts';
import type { Fault } from '../schemas/round/fault.ts';
import type { ReportedAttempt } from '../schemas/round/round.ts';

/** The fault of who does not tell what a budget is held by; null: it does, or there is no such budget. */
export function untoldUsage(
  { usage, costUsd }: Pick<ReportedAttempt, 'usage' | 'costUsd'>,
  { who, budgets }: { who: 'agent' | 'reviewer'; budgets: Budgets },
): Fault | null {
  const missing = [
    ...(budgets.maxTokens !== null && usage === null ? ['tokens'] : []),
    ...(budgets.maxCostUsd !== null && costUsd === null ? ['cost'] : []),
  ];
  if (missing.length === 0) return null;
  const message = `the ${who} told no ${missing.join(' and no ')}, so nothing would hold the run's budget of it`;
  return { code: 'usage-unknown', message, resetAt: null };
}
