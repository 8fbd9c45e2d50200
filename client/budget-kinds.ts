import type { Budgets } from '../schemas/budget.ts';

/** "2h", "1h 30m", "45s", "500ms": exact, for a limit that somebody set. */
function durationText(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ] as const) {
    const whole = Math.floor(rest / size);
    if (whole > 0) parts.push(`${whole}${unit}`);
    rest -= whole * size;
  }
  return parts.length === 0 ? '0s' : parts.join(' ');
}

/** The budgets beside rounds: their names in schemas, on the command line and in files, and an amount in words. */
export const BUDGETS = [
  { budget: 'time', limit: 'maxTimeMs', key: 'maxTime', option: '--max-time', add: '--add-time', text: durationText },
  {
    budget: 'tokens',
    limit: 'maxTokens',
    key: 'maxTokens',
    option: '--max-tokens',
    add: '--add-tokens',
    text: (amount: number) => `${amount.toLocaleString('en-US')} tokens`,
  },
  {
    budget: 'cost',
    limit: 'maxCostUsd',
    key: 'maxCost',
    option: '--max-cost',
    add: '--add-cost',
    text: (usd: number) => `$${usd.toFixed(2)}`,
  },
  { budget: 'wait', limit: 'maxWaitMs', key: 'maxWait', option: '--max-wait', add: '--add-wait', text: durationText },
] as const satisfies readonly {
  budget: string;
  limit: keyof Budgets;
  key: string;
  option: string;
  add: string;
  text: (amount: number) => string;
}[];
