import { amountText, cost, count, duration, elapsed, shortCommit, UNKNOWN } from '../../client/describe/amounts.ts';
import { rowWord } from '../../client/describe/round-words.ts';
import type { EndedRound, RoundRow } from '../../client/view/round-view.ts';
import { rolledBackRounds, type RunView } from '../../client/view/run-view.ts';
import { printableLine } from '../../system/printable.ts';
import { type Column, table } from '../terminal/layout.ts';
import { type Palette, statusColour } from '../terminal/palette.ts';

const number = { align: 'right', paint: null } as const;

/** A round, of which run it was, and whether it was rolled back. */
interface Row {
  readonly row: RoundRow;
  readonly runId: string;
  readonly isRolledBack: boolean;
}

/** What a round that is running will only know later is left empty. */
const later = ({ row }: Row, text: (row: EndedRound) => string): string => (row.kind === 'running' ? '' : text(row));

/**
 * The table of a run's rounds, after those of the runs that it continues, which then are named: `ralph show`, and the end
 * of a followed run. Empty where there is no round.
 */
export function roundTable(run: RunView, how: { now: number; width: number | null; paint: Palette }): string[] {
  const { now, width, paint } = how;
  const { previous } = run.chain;
  const own = { runId: run.runId, rounds: run.rounds, rolledBack: rolledBackRounds(run.rollback) };
  const rows = [...previous, own].flatMap(({ runId, rounds, rolledBack }): Row[] => [
    ...rounds.map((row) => ({ row, runId, isRolledBack: false })),
    ...rolledBack.map((row) => ({ row, runId, isRolledBack: true })),
  ]);
  if (rows.length === 0) return [];
  const ofRun: Column<Row> = { title: 'RUN', align: 'left', cell: ({ runId }) => printableLine(runId), paint: null };
  const columns: Column<Row>[] = [
    ...(previous.length > 0 ? [ofRun] : []),
    { ...number, title: 'ROUND', cell: ({ row }) => String(row.round) },
    ...(rows.some(({ row }) => row.attempts > 1)
      ? [{ ...number, title: 'ATTEMPTS', cell: ({ row }: Row) => String(row.attempts) }]
      : []),
    {
      title: 'STATUS',
      align: 'left',
      cell: ({ row, isRolledBack }) => rowWord(row) + (isRolledBack ? ' (rolled back)' : ''),
      paint: (text, { row, isRolledBack }) => (isRolledBack ? paint.faint : statusColour(rowWord(row), paint))(text),
    },
    {
      ...number,
      title: 'DURATION',
      cell: ({ row }) => (row.kind === 'running' ? elapsed(now - Date.parse(row.startedAt)) : duration(row.durationMs)),
    },
    {
      ...number,
      title: 'TOKENS',
      cell: (each) => later(each, ({ tokens }) => amountText(tokens, (amount) => count(Math.round(amount)))),
    },
    { ...number, title: 'COST', cell: (each) => later(each, ({ costUsd }) => amountText(costUsd, cost)) },
    {
      title: 'COMMIT',
      align: 'left',
      cell: (each) => (each.row.commit === null ? later(each, () => UNKNOWN) : shortCommit(each.row.commit)),
      paint: paint.faint,
    },
    {
      ...number,
      title: '+/−',
      cell: (each) => {
        const { changes } = each.row;
        return changes === null ? later(each, () => UNKNOWN) : `+${changes.insertions} −${changes.deletions}`;
      },
    },
    { title: 'SUMMARY', align: 'left', cell: ({ row }) => byWhom(row) + firstLine(row), paint: null },
  ];
  return table({ columns, rows, width, paint });
}

function firstLine(row: RoundRow): string {
  const text = row.kind === 'running' ? (row.doing ?? '') : row.summary;
  return printableLine(text.trimStart().split('\n', 1)[0] ?? '');
}

/** Who took part beside the run's own agent. */
const byWhom = ({ agents }: RoundRow): string => (agents.length === 0 ? '' : `[${agents.join(', ')}] `);
