import { useMemo } from 'preact/hooks';
import { cost, count, duration, UNKNOWN } from '../../../client/describe/amounts.ts';
import type { Amount, EndedRound } from '../../../client/view/round-view.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { BarPlot, type Series } from './bar-plot.tsx';
import { GateStrip } from './gate-strip.tsx';

const FEWEST = 2;

/** What each round took, used and changed. */
export function Plots(props: { run: RunView; selected: number | null; onSelect: (round: number) => void }) {
  const { run, selected, onSelect } = props;
  const rows = useMemo(() => run.rounds.filter((row) => row.kind === 'ended'), [run.rounds]);
  const plots = useMemo(() => seriesOf(rows), [rows]);
  if (rows.length < FEWEST) return null;
  const rounds = rows.map(({ round }) => round);
  const how = { rounds, selected, onSelect };
  return (
    <section class="card plots" aria-label="By round">
      <BarPlot
        {...how}
        title="Duration"
        series={plots.duration}
        text={duration}
        note={`median ${middle(
          rows.map((row) => row.durationMs),
          duration,
        )}`}
      />
      <BarPlot {...how} title="Tokens" series={plots.tokens} text={whole} note={cacheText(rows)} />
      <BarPlot {...how} title="Cost" series={plots.cost} text={cost} note={costText(rows)} />
      <BarPlot {...how} title="Lines" series={plots.lines} text={whole} note={linesText(rows)} />
      <GateStrip run={run} rounds={rounds} selected={selected} onSelect={onSelect} />
    </section>
  );
}

const whole = (amount: number): string => count(Math.round(amount));

function seriesOf(rows: readonly EndedRound[]): Record<'duration' | 'tokens' | 'cost' | 'lines', Series[]> {
  const of = (name: string, colour: string, value: (row: EndedRound) => number | null): Series => ({
    name,
    colour,
    values: rows.map(value),
  });
  return {
    duration: [of('duration', '--series-1', ({ durationMs }) => durationMs)],
    tokens: [
      of('input', '--series-1', ({ usage }) => usage?.inputTokens ?? null),
      of('output', '--series-3', ({ usage }) => usage?.outputTokens ?? null),
      of('cache write', '--series-2', ({ usage }) => usage?.cacheWriteTokens ?? null),
      of('cache read', '--series-4', ({ usage }) => usage?.cacheReadTokens ?? null),
    ],
    cost: [
      {
        ...of('cost', '--series-3', ({ costUsd }) => (costUsd.kind === 'known' ? costUsd.amount : null)),
        estimated: rows.map(({ costUsd }) => isPartial(costUsd)),
      },
    ],
    lines: [
      of('added', '--add-strong', ({ changes }) => changes?.insertions ?? null),
      of('removed', '--del-strong', ({ changes }) => (changes === null ? null : -changes.deletions)),
    ],
  };
}

/** Whether an amount is estimated, or some attempts reported none. */
const isPartial = (amount: Amount): boolean => amount.kind === 'known' && (amount.estimated || amount.unreported > 0);

function middle(amounts: readonly number[], text: (amount: number) => string): string {
  const sorted = amounts.toSorted((a, b) => a - b);
  const found = sorted[Math.floor(sorted.length / 2)];
  return found === undefined ? UNKNOWN : text(found);
}

function cacheText(rows: readonly EndedRound[]): string {
  const known = rows.flatMap(({ usage }) => usage ?? []);
  const read = known.reduce((sum, each) => sum + each.cacheReadTokens, 0);
  const sent = known.reduce((sum, each) => sum + each.inputTokens + each.cacheWriteTokens, 0) + read;
  if (sent === 0) return UNKNOWN;
  return `${Math.round((read / sent) * 100)}% of what was sent came from a cache`;
}

function costText(rows: readonly EndedRound[]): string {
  const known = rows.flatMap(({ costUsd }) => (costUsd.kind === 'known' ? costUsd : []));
  if (known.length === 0) return UNKNOWN;
  const amounts = known.map(({ amount }) => amount);
  const partial = known.some(isPartial) ? ', hatched: estimated, or a least' : '';
  const silent = rows.length === known.length ? '' : `, ${rows.length - known.length} unknown`;
  return `median ${middle(amounts, cost)}${partial}${silent}`;
}

function linesText(rows: readonly EndedRound[]): string {
  const added = rows.reduce((sum, { changes }) => sum + (changes?.insertions ?? 0), 0);
  const removed = rows.reduce((sum, { changes }) => sum + (changes?.deletions ?? 0), 0);
  return `+${whole(added)} −${whole(removed)}`;
}
