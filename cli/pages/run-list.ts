import type { RunSummary } from '../../client/view/run-view.ts';
import { age, elapsed, UNKNOWN } from '../text/amounts.ts';
import type { Palette } from '../terminal/palette.ts';
import { printableLine } from '../terminal/printable.ts';
import { statusColour } from '../terminal/status-colour.ts';
import { table, type Column } from '../terminal/table.ts';

const left = { align: 'left', paint: null } as const;

/** Of a run that was rolled back the rounds that it used, as its budget counts them. */
function rounds({ round, maxRounds, voidRounds }: RunSummary): string {
  if (round === null || maxRounds === null) return UNKNOWN;
  return voidRounds === 0 ? `${round}/${maxRounds}` : `${round + voidRounds}/${maxRounds}, ${voidRounds} void`;
}

/** The status, with what it waits for or is about to do. */
function statusText({ status, until, steering, voidRounds }: RunSummary, now: number): string {
  if (status === 'waiting' && until !== null) return `waiting ${elapsed(Date.parse(until) - now)}`;
  if (voidRounds > 0) return `${status}, rolled back`;
  if (steering === null || status === 'paused') return status;
  return steering.stop ? `${status}, to stop` : steering.pause ? `${status}, to pause` : status;
}

/** Last part of a path. The whole one is in `ralph show`. */
function folderName(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}

/** Which run it goes on from. */
const after: Column<RunSummary> = {
  ...left,
  title: 'AFTER',
  cell: ({ predecessor }) => (predecessor === null ? '' : printableLine(predecessor)),
};

/** The table of `ralph list`. */
export function runList(
  runs: readonly RunSummary[],
  how: { now: number; width: number | null; paint: Palette },
): string[] {
  const { now, width, paint } = how;
  const columns: Column<RunSummary>[] = [
    { ...left, title: 'RUN', cell: ({ runId }) => printableLine(runId), paint: paint.strong },
    {
      ...left,
      title: 'STATUS',
      cell: (run) => statusText(run, now),
      paint: (text, { status }) => statusColour(status, paint)(text),
    },
    { ...left, align: 'right', title: 'ROUND', cell: rounds },
    {
      ...left,
      title: 'STARTED',
      cell: ({ startedAt }) => (startedAt === null ? UNKNOWN : age(startedAt, now)),
      paint: paint.faint,
    },
    {
      ...left,
      title: 'REPOSITORY',
      cell: ({ repository }) => (repository === null ? UNKNOWN : printableLine(folderName(repository))),
    },
    ...(runs.some(({ predecessor }) => predecessor !== null) ? [after] : []),
    { ...left, title: 'OBJECTIVE', cell: ({ title }) => (title === null ? UNKNOWN : printableLine(title)) },
  ];
  return table({ columns, rows: runs, width, paint });
}
