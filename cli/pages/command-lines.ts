import type { NextCommand } from '../../client/describe/chain-words.ts';
import { fields } from '../terminal/layout.ts';
import { palette, type Palette } from '../terminal/palette.ts';
import { displayWidth } from '../../client/describe/width.ts';

/** Commands to go on with, each whole in a line; what it does stands beside it, or below where it does not fit. */
export function commandLines(
  commands: readonly NextCommand[],
  { width, paint }: { width: number | null; paint: Palette },
): string[] {
  const longest = Math.max(0, ...commands.map(({ command }) => displayWidth(command)));
  const widest = Math.max(0, ...commands.map(({ what }) => displayWidth(what)));
  if (width !== null && longest + widest + 2 > width) {
    return commands.flatMap(({ command, what }) => [command, `    ${paint.faint(what)}`]);
  }
  return fields(
    commands.map(({ command, what }) => [command, paint.faint(what)]),
    palette(false),
  );
}
