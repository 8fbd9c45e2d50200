import type { Ceilings } from '../../../schemas/budget/budget.ts';
import type { RunView, Spend } from '../../../client/view/run-view.ts';

/** What a row of the list shows beside what `ralph list` has. */
export interface RunDigest {
  readonly runId: string;
  readonly spend: Spend;
  readonly ceilings: Ceilings | null;
  /** When something of it ended or began last; null: not known. */
  readonly lastAt: string | null;
  /** Lines that each of the last rounds changed; null: not known. */
  readonly lines: readonly (number | null)[];
}

const ROUNDS = 24;

export function digestOf({ runId, spend, ceilings, phase, rounds, checks, startedAt }: RunView): RunDigest {
  const times = [
    startedAt,
    phase.kind === 'ended' ? phase.endedAt : null,
    ...rounds.slice(-1).map((row) => (row.kind === 'ended' ? row.endedAt : row.startedAt)),
    ...checks.slice(-1).map(({ took }) => took?.endedAt ?? null),
  ].filter((time) => time !== null);
  return {
    runId,
    spend,
    ceilings,
    lastAt: times.toSorted().at(-1) ?? null,
    lines: rounds
      .slice(-ROUNDS)
      .map(({ changes }) => (changes === null ? null : changes.insertions + changes.deletions)),
  };
}
