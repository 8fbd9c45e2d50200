import type { RunView } from '../../../client/view/run-view.ts';

/** What a person types; empty: nothing is added. */
export type BudgetAsked = Readonly<Record<Kind, string>>;
type Kind = 'rounds' | 'hours' | 'tokens' | 'dollars';

export const NOTHING_ADDED: BudgetAsked = { rounds: '', hours: '', tokens: '', dollars: '' };
const HOUR_MS = 3_600_000;

const FIELDS = [
  { kind: 'rounds', label: 'Rounds', step: '1', flag: '--add-rounds', unit: '' },
  { kind: 'hours', label: 'Hours of work', step: '0.5', flag: '--add-time', unit: 'h' },
  { kind: 'tokens', label: 'Tokens', step: '1000', flag: '--add-tokens', unit: '' },
  { kind: 'dollars', label: 'US dollars', step: '0.5', flag: '--add-cost', unit: '' },
] as const satisfies readonly { kind: Kind; label: string; step: string; flag: string; unit: string }[];

/** How much to add to each budget that has a limit. */
export function BudgetFields(props: { run: RunView; added: BudgetAsked; onAdded: (added: BudgetAsked) => void }) {
  const { run, added, onAdded } = props;
  const budgets = run.ceilings?.budgets ?? null;
  const has = {
    rounds: true,
    hours: budgets !== null && budgets.maxTimeMs !== null,
    tokens: budgets !== null && budgets.maxTokens !== null,
    dollars: budgets !== null && budgets.maxCostUsd !== null,
  };
  return (
    <div class="fields">
      {FIELDS.filter(({ kind }) => has[kind]).map(({ kind, label, step }) => (
        <label class="field" key={kind}>
          {label} to add
          <input
            type="number"
            min="0"
            step={step}
            value={added[kind]}
            onInput={(event) => onAdded({ ...added, [kind]: event.currentTarget.value })}
          />
        </label>
      ))}
    </div>
  );
}

const amountOf = (text: string): number | null => (Number(text) > 0 ? Number(text) : null);

export function budgetFlags(added: BudgetAsked): string {
  return FIELDS.map(({ kind, flag, unit }) =>
    amountOf(added[kind]) === null ? '' : ` ${flag} ${added[kind]}${unit}`,
  ).join('');
}

export function budgetBody(added: BudgetAsked): Record<string, unknown> {
  const hours = amountOf(added.hours);
  return {
    rounds: amountOf(added.rounds),
    budgets: {
      maxTimeMs: hours === null ? null : Math.round(hours * HOUR_MS),
      maxTokens: amountOf(added.tokens),
      maxCostUsd: amountOf(added.dollars),
      maxWaitMs: null,
    },
  };
}
