import { amountText, cost, count, duration, several, UNKNOWN } from '../../client/describe/amounts.ts';
import type { Purpose, StatsView, Sums } from '../../client/stats/stats-view.ts';
import type { Amount } from '../../client/view/round-view.ts';
import { printableLine } from '../../system/printable.ts';
import { type Column, fields, table } from '../terminal/layout.ts';
import type { Palette } from '../terminal/palette.ts';

const left = { align: 'left', paint: null } as const;
const right = { align: 'right', paint: null } as const;

/** "≥" where some reported none: a table has no room for words. */
const amount = (of: Amount, text: (amount: number) => string): string => amountText(of, text).replace('at least ', '≥');
/** Gates use neither tokens nor money. */
const isByAgents = ({ usage, tokens }: Sums): boolean => usage !== null || tokens.kind === 'unknown';

const tokensText = ({ tokens }: Sums): string => amount(tokens, (of) => count(Math.round(of)));
const shareText = ({ cacheShare }: Sums): string =>
  cacheShare === null ? UNKNOWN : `${Math.round(cacheShare * 100)}%`;
const costText = ({ costUsd }: Sums): string => amount(costUsd, cost);
const timeText = ({ timeMs }: Sums): string => amount(timeMs, duration);

/** What each table has after its own columns. */
const used: readonly Column<Sums>[] = [
  { ...right, title: 'COUNT', cell: (sums) => sums.count.toLocaleString('en-US') },
  { ...right, title: 'TIME', cell: timeText },
  { ...right, title: 'TOKENS', cell: (sums) => (isByAgents(sums) ? tokensText(sums) : '') },
  { ...right, title: 'CACHED', cell: (sums) => (isByAgents(sums) ? shareText(sums) : '') },
  { ...right, title: 'COST', cell: (sums) => (isByAgents(sums) ? costText(sums) : '') },
];

const NAMES: Readonly<Record<Purpose, string>> = {
  kept: 'rounds that count',
  rejected: 'rejected claims',
  failed: 'faults',
  interrupted: 'lost or interrupted',
  'rolled-back': 'rolled back',
  reviews: 'reviews',
  gates: 'gates',
};

/** The page of `ralph stats`. */
export function statsPage(stats: StatsView, how: { width: number | null; paint: Palette }): string[] {
  const { width, paint } = how;
  const { total, agents, days, purposes } = stats;
  if (total.count === 0) return [`Nothing has been used${stats.since === null ? '' : ' since then'}.`];
  return [
    ...fields(summaryRows(stats), paint, width),
    '',
    ...table({
      columns: [
        { ...left, title: 'AGENT', cell: ({ agent }) => (agent === null ? UNKNOWN : printableLine(agent)) },
        { ...left, title: 'MODEL', cell: ({ agent, model }) => modelText(agent, model) },
        ...used,
      ],
      rows: agents,
      width,
      paint,
    }),
    '',
    ...table({
      columns: [{ ...left, title: 'DAY', cell: ({ day }) => day ?? UNKNOWN }, ...used],
      rows: days,
      width,
      paint,
    }),
    '',
    ...table({
      columns: [{ ...left, title: 'SPENT ON', cell: ({ purpose }) => NAMES[purpose] }, ...used],
      rows: purposes,
      width,
      paint,
    }),
  ];
}

/** Where none was asked for, the program chose. */
const modelText = (agent: string | null, model: string | null): string =>
  model !== null ? printableLine(model) : agent === null ? UNKNOWN : 'not set';

function summaryRows(stats: StatsView): [string, string][] {
  const { runs, rounds, total, waitMs, linesPerUsd, overhead } = stats;
  const { insertions, deletions } = total.lines;
  const { medianMs, totalMs } = overhead;
  const perUsd =
    linesPerUsd.kind === 'unknown'
      ? UNKNOWN
      : `${Math.round(linesPerUsd.amount).toLocaleString('en-US')}${linesPerUsd.attempts < linesPerUsd.of ? ` (of ${linesPerUsd.attempts} of ${several(linesPerUsd.of, 'attempt')}; the others reported no cost)` : ''}`;
  const engine =
    medianMs === null ? UNKNOWN : `${duration(medianMs)} an attempt (median), ${amount(totalMs, duration)} in all`;
  return [
    ['Work', `${several(runs, 'run')}, ${several(rounds, 'round')}, ${timeText(total)}`],
    ['Tokens', tokensText(total)],
    ['Cached', `${shareText(total)}${total.cacheShare === null ? '' : ' of what models read'}`],
    ['Cost', costText(total)],
    ['Waited', amount(waitMs, duration)],
    ['Lines', `+${insertions.toLocaleString('en-US')} −${deletions.toLocaleString('en-US')}`],
    ['Lines per $', perUsd],
    ['Engine', engine],
  ];
}

/** What a reader must know of the sums. */
export function statsNotes({ total, unread, waitMs, overhead }: StatsView): string[] {
  const { count: all, timeMs, tokens, costUsd } = total;
  const notes = unread.map(({ runId, problem }) => `Not counted: ${runId}: ${printableLine(problem)}.`);
  const silent = [
    ...unknownOf('the time', timeMs, all),
    ...unknownOf('the tokens', tokens, all),
    ...unknownOf('the cost', costUsd, all),
  ];
  if (silent.length > 0) {
    const last = silent.length === 1 ? '' : ` and ${silent.at(-1)}`;
    const first = silent.length === 1 ? silent : silent.slice(0, -1);
    notes.push(
      `≥: of ${all.toLocaleString('en-US')} attempts and checks, ${first.join(', ')}${last} are unknown and not included.`,
    );
  }
  if (waitMs.kind === 'known' && waitMs.unreported > 0) {
    notes.push(`How long ${several(waitMs.unreported, 'run')} waited is unknown.`);
  }
  if (overhead.totalMs.kind === 'known' && overhead.totalMs.unreported > 0) {
    notes.push(`How long the engine took in ${several(overhead.totalMs.unreported, 'attempt')} is unknown.`);
  }
  if (costUsd.kind === 'known' && costUsd.estimated) notes.push('≈ is an estimate in part, by the price table.');
  return notes;
}

const unknownOf = (what: string, of: Amount, all: number): string[] => {
  const unknown = of.kind === 'unknown' ? all : of.unreported;
  return unknown === 0 ? [] : [`${what} of ${unknown.toLocaleString('en-US')}`];
};
