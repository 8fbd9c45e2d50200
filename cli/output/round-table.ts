import type { RoundRow } from '../../client/run-view.ts';
import { cost, duration, elapsed, shortCommit, tokens, UNKNOWN } from './amounts.ts';
import { outcomeText } from './outcome-text.ts';
import type { Palette } from './palette.ts';
import { printableLine } from './printable.ts';
import { statusColour } from './status-colour.ts';
import { table, type Column } from './table.ts';

const number = { align: 'right', paint: null } as const;

function changes(row: RoundRow): string {
  if (row.changes === null) return row.status === 'running' ? '' : UNKNOWN;
  return `+${row.changes.insertions} −${row.changes.deletions}`;
}

/** Whether a cell may say `unknown`: what a round under way will only know later is left empty. */
function later(row: RoundRow, text: (row: RoundRow) => string): string {
  return row.status === 'running' ? '' : text(row);
}

function firstLine(text: string | null): string {
  return text === null ? '' : printableLine(text.trimStart().split('\n', 1)[0] ?? '');
}

/** A claim of completion that was refused was no completion. */
const statusOf = ({ status, refused }: RoundRow): string =>
  refused !== null && status === 'complete' ? 'refused' : status;

/** Who took part beside the run's own agent. */
const byWhom = ({ agents }: RoundRow): string => (agents.length === 0 ? '' : `[${agents.join(', ')}] `);

/** The table of a run's rounds: `ralph show`, and the end of a followed run. */
export function roundTable(
  rows: readonly RoundRow[],
  how: { now: number; width: number | null; paint: Palette },
): string[] {
  const { now, width, paint } = how;
  const columns: Column<RoundRow>[] = [
    { ...number, title: 'ROUND', cell: ({ round }) => String(round) },
    { ...number, title: 'ATTEMPTS', cell: ({ attempts }) => String(attempts) },
    {
      title: 'STATUS',
      align: 'left',
      cell: (row) => outcomeText(statusOf(row)),
      paint: (text, row) => statusColour(statusOf(row), paint)(text),
    },
    {
      ...number,
      title: 'DURATION',
      cell: ({ durationMs, startedAt }) =>
        durationMs === null ? elapsed(now - Date.parse(startedAt)) : duration(durationMs),
    },
    { ...number, title: 'TOKENS', cell: (row) => later(row, ({ usage }) => tokens(usage)) },
    {
      ...number,
      title: 'COST',
      cell: (row) => later(row, ({ costUsd, costEstimated }) => (costEstimated ? '≈' : '') + cost(costUsd)),
    },
    {
      title: 'COMMIT',
      align: 'left',
      cell: (row) => (row.commit === null ? later(row, () => UNKNOWN) : shortCommit(row.commit)),
      paint: paint.faint,
    },
    { ...number, title: '+/−', cell: changes },
    { title: 'SUMMARY', align: 'left', cell: (row) => byWhom(row) + firstLine(row.summary), paint: null },
  ];
  return table({ columns, rows, width, paint });
}
