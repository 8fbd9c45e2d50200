import type { Description } from '../../client/describe/describe-ending.ts';
import { type RunView, statusOf } from '../../client/view/run-view.ts';
import { printable, printableLine } from '../../system/printable.ts';
import { wrapped } from '../terminal/layout.ts';
import { type Palette, statusColour } from '../terminal/palette.ts';
import { commandLines } from './command-lines.ts';

/** The page of `ralph why RUN`. */
export function whyPage(
  { runId, phase }: RunView,
  { headline, said, evidence, next }: Description,
  { width, paint }: { width: number | null; paint: Palette },
): string[] {
  const status = statusOf(phase);
  const [first = '', ...rest] = wrapped(`${runId}: ${printableLine(headline)}.`, width);
  const colour = statusColour(status, paint);
  const room = width === null ? null : width - 2;
  const lines = [...said, ...evidence]
    .flatMap((text) => wrapped(printable(text).trim(), room))
    .map((line) => `  ${line}`);
  return [
    paint.strong(runId) + colour(first.slice(runId.length)),
    ...rest.map((line) => colour(line)),
    ...lines,
    ...(next.length === 0 ? [] : ['', ...commandLines(next, { width, paint })]),
  ];
}
