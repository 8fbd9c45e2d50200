import { budgetLines, budgetRows } from '../../../client/describe/spend-words.ts';
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
  const used = { Time: known(timeMs), Tokens: known(tokens), Cost: known(costUsd), Waited: spend.waitMs };
  const { maxTimeMs, maxTokens, maxCostUsd, maxWaitMs } = ceilings.budgets;
  const most = { Time: maxTimeMs, Tokens: maxTokens, Cost: maxCostUsd, Waited: maxWaitMs };
  const share = (amount: number | null, limit: number | null): number | null =>
    amount === null || limit === null ? null : limit === 0 ? 1 : amount / limit;
  return [
    share(spend.rounds, ceilings.maxRounds),
    ...budgetRows({ spend, ceilings }).map(({ name }) => shareOf(name, used, most, share)),
  ];
}

function shareOf<Amounts extends Record<string, number | null>>(
  name: string,
  used: Amounts,
  most: Amounts,
  share: (amount: number | null, limit: number | null) => number | null,
): number | null {
  return share(used[name] ?? null, most[name] ?? null);
}
