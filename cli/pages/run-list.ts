import { folderName, listedStatus } from '../../client/describe/about-words.ts';
import { age, UNKNOWN } from '../../client/describe/amounts.ts';
import { type RunSummary, statusOf } from '../../client/view/run-view.ts';
import { printableLine } from '../../system/printable.ts';
import { type Column, table } from '../terminal/layout.ts';
import { type Palette, statusColour } from '../terminal/palette.ts';

const left = { align: 'left', paint: null } as const;

/** Rounds that were rolled back count as used. */
function rounds({ progress }: RunSummary): string {
  if (progress === null) return UNKNOWN;
  const { round, maxRounds, rolledBack } = progress;
  return rolledBack === 0 ? `${round}/${maxRounds}` : `${round + rolledBack}/${maxRounds}, ${rolledBack} rolled back`;
}

/** Which run it continues. */
const after: Column<RunSummary> = {
  ...left,
  title: 'CONTINUES',
  cell: ({ continues }) => (continues === null ? '' : printableLine(continues)),
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
      cell: (run) => listedStatus(run, now),
      paint: (text, { phase }) => statusColour(statusOf(phase), paint)(text),
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
      cell: ({ about }) => (about === null ? UNKNOWN : printableLine(folderName(about.repository))),
    },
    ...(runs.some(({ continues }) => continues !== null) ? [after] : []),
    { ...left, title: 'OBJECTIVE', cell: ({ about }) => (about === null ? UNKNOWN : printableLine(about.title)) },
  ];
  return table({ columns, rows: runs, width, paint });
}
