import { budgetLines } from '../../../client/describe/spend-words.ts';
import { rolledBackRounds, type RunView } from '../../../client/view/run-view.ts';
import { Meter } from '../parts/meter.tsx';

/** What the run used of its budgets, as `ralph budget` says it. */
export function Budgets({ run }: { run: RunView }) {
  const { rows, notes } = budgetLines({ ...run, rolledBack: rolledBackRounds(run.rollback).length });
  const shares = sharesOf(run);
  return (
    <section class="card budgets" aria-label="Budgets">
      <div class="meters">
        {rows.map(([name, text], i) => (
          <Meter key={name} name={name} text={text} share={shares[i] ?? null} />
        ))}
      </div>
      {notes.map((note) => (
        <p class="fine" key={note}>
          {note}
        </p>
      ))}
    </section>
  );
}

/** In the order of `budgetLines`: rounds, then each budget. Null: no limit, or not known. */
function sharesOf({ spend, ceilings }: RunView): (number | null)[] {
  if (spend.kind === 'unknown' || ceilings === null) return [];
  const { timeMs, tokens, costUsd } = spend;
  const known = (amount: typeof timeMs): number | null => (amount.kind === 'known' ? amount.amount : null);
  const { maxTimeMs, maxTokens, maxCostUsd, maxWaitMs } = ceilings.budgets;
  return [
    share(spend.rounds, ceilings.maxRounds),
    share(known(timeMs), maxTimeMs),
    share(known(tokens), maxTokens),
    share(known(costUsd), maxCostUsd),
    share(spend.waitMs, maxWaitMs),
  ];
}

const share = (amount: number | null, limit: number | null): number | null =>
  amount === null || limit === null ? null : limit === 0 ? 1 : amount / limit;
