import type { Palette } from './palette.ts';
import { displayWidth, fit } from '../../client/describe/width.ts';

const GAP = '  ';
/** The last column is never squeezed below this. */
const LEAST = 16;

/** One column. `cell` gives printable text; `paint` colours it after it was measured. */
export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: Row) => string;
  readonly paint: ((text: string, row: Row) => string) | null;
}

/**
 * Lines of a table. Columns are as wide as they need; the last one is cut to what `width` leaves, null: never cut.
 */
export function table<Row>(what: {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  width: number | null;
  paint: Palette;
}): string[] {
  const { columns, rows, width, paint } = what;
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...cells.map((line) => displayWidth(line[index] ?? ''))),
  );
  const last = columns.length - 1;
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + GAP.length, 0);
  const room = width === null ? Number.POSITIVE_INFINITY : Math.max(LEAST, width - before);

  const line = (texts: readonly string[], colour: (text: string, index: number) => string): string =>
    texts
      .map((text, index) => {
        const shown = index === last ? fit(text, room) : text;
        const blank = ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(shown)));
        if (columns[index]?.align === 'right') return blank + colour(shown, index);
        return colour(shown, index) + (index === last ? '' : blank);
      })
      .join(GAP)
      .trimEnd();

  const head = line(
    columns.map(({ title }) => title),
    (text) => paint.faint(text),
  );
  const body = rows.map((row, at) =>
    line(cells[at] ?? [], (text, index) => columns[index]?.paint?.(text, row) ?? text),
  );
  return [head, ...body];
}

/**
 * Lines "Name   value", names faint and of one width. A value of several lines is indented under its first.
 * @param width to wrap at; null: nothing is wrapped
 */
export function fields(
  rows: readonly (readonly [name: string, value: string])[],
  paint: Palette,
  width: number | null = null,
): string[] {
  const names = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  const indent = `\n${' '.repeat(names)}`;
  const room = width === null ? null : Math.max(LEAST, width - names);
  return rows.map(([name, value]) => paint.faint(name.padEnd(names)) + wrapped(value, room).join(indent));
}

/** The lines of a text, broken between words where they are wider. A word that is wider stays whole. */
export function wrapped(text: string, width: number | null): string[] {
  return text.split('\n').flatMap((line) => {
    if (width === null || displayWidth(line) <= width) return [line];
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      const next = current === '' ? word : `${current} ${word}`;
      if (current !== '' && displayWidth(next) > width) {
        lines.push(current);
        current = word;
      } else current = next;
    }
    return [...lines, current];
  });
}
