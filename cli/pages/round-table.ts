import type { RoundRow, RunView } from '../../client/view/run-view.ts';
import { isOpenClaim, roundStatus } from '../text/claim-text.ts';
import { cost, count, duration, elapsed, shortCommit, tokens, UNKNOWN } from '../text/amounts.ts';
import { outcomeText } from '../text/outcome-text.ts';
import type { Palette } from '../terminal/palette.ts';
import { printableLine } from '../terminal/printable.ts';
import { statusColour } from '../terminal/status-colour.ts';
import { table, type Column } from '../terminal/table.ts';

const number = { align: 'right', paint: null } as const;

function changes(row: RoundRow): string {
  if (row.changes === null) return row.status === 'running' ? '' : UNKNOWN;
  return `+${row.changes.insertions} −${row.changes.deletions}`;
}

/** Whether a cell may say `unknown`: what a round under way will only know later is left empty. */
function later(row: RoundRow, text: (row: RoundRow) => string): string {
  return row.status === 'running' ? '' : text(row);
}

/** Where an attempt was ended before it told, about what the sums count. */
function tokensCell({ usage, likelyTokens }: RoundRow): string {
  return usage === null && likelyTokens !== null ? `≈${count(Math.round(likelyTokens))}` : tokens(usage);
}

function costCell({ costUsd, costEstimated, likelyCostUsd }: RoundRow): string {
  const about = costUsd === null && likelyCostUsd !== null;
  return (costEstimated || about ? '≈' : '') + cost(about ? likelyCostUsd : costUsd);
}

function firstLine(text: string | null): string {
  return text === null ? '' : printableLine(text.trimStart().split('\n', 1)[0] ?? '');
}

/** Who took part beside the run's own agent. */
const byWhom = ({ agents }: RoundRow): string => (agents.length === 0 ? '' : `[${agents.join(', ')}] `);

/** A round, of which run it was, and whether a rollback made it void. */
type Row = RoundRow & { readonly runId: string; readonly shown: string; readonly isVoid: boolean };

type OfLine = Pick<RunView, 'runId' | 'status' | 'rounds' | 'rolledBack'>;

/**
 * @param following the runs after it, each of which may have had to check a claim that it left open
 * @param checks those of the run whose page it is, the last of them
 */
function rowsOf(run: OfLine, following: readonly OfLine[], { checks }: Pick<RunView, 'checks'>): Row[] {
  const { runId, rounds, rolledBack } = run;
  const statusOf = (row: RoundRow): string => {
    if (following.length === 0 || !isOpenClaim(row, run)) return roundStatus(row, run);
    const verdict = following.find((each) => each.rounds.length > 0 || each.status === 'complete');
    if (verdict !== undefined && verdict.rounds.length === 0) return 'complete';
    const isRefused = checks.some(({ claimOf, result }) => claimOf?.runId === runId && result === 'refused');
    return isRefused ? 'refused' : 'claimed';
  };
  return [
    ...rounds.map((row) => ({ ...row, runId, shown: statusOf(row), isVoid: false })),
    ...rolledBack.map((row) => ({ ...row, runId, shown: roundStatus(row, run), isVoid: true })),
  ];
}

/**
 * The table of a run's rounds, after those of the runs that it goes on from, which then are named: `ralph show`, and the
 * end of a followed run. Empty where there is no round.
 */
export function roundTable(run: RunView, how: { now: number; width: number | null; paint: Palette }): string[] {
  const { now, width, paint } = how;
  const line: OfLine[] = [...run.earlier, run];
  const rows = line.flatMap((each, at) => rowsOf(each, line.slice(at + 1), run));
  if (rows.length === 0) return [];
  const ofRun: Column<Row> = { title: 'RUN', align: 'left', cell: ({ runId }) => printableLine(runId), paint: null };
  const columns: Column<Row>[] = [
    ...(run.earlier.length > 0 ? [ofRun] : []),
    { ...number, title: 'ROUND', cell: ({ round }) => String(round) },
    { ...number, title: 'ATTEMPTS', cell: ({ attempts }) => String(attempts) },
    {
      title: 'STATUS',
      align: 'left',
      cell: ({ shown, isVoid }) => outcomeText(shown) + (isVoid ? ' (rolled back)' : ''),
      paint: (text, { shown, isVoid }) => (isVoid ? paint.faint : statusColour(shown, paint))(text),
    },
    {
      ...number,
      title: 'DURATION',
      cell: ({ durationMs, startedAt }) =>
        durationMs === null ? elapsed(now - Date.parse(startedAt)) : duration(durationMs),
    },
    { ...number, title: 'TOKENS', cell: (row) => later(row, tokensCell) },
    {
      ...number,
      title: 'COST',
      cell: (row) => later(row, costCell),
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
