import { stripVTControlCharacters } from 'node:util';
import { palette } from '../../../cli/terminal/palette.ts';
import { table, type Column } from '../../../cli/terminal/layout.ts';
import { displayWidth, fit } from '../../../client/describe/width.ts';

interface Row {
  name: string;
  size: string;
  text: string;
}
const columns: Column<Row>[] = [
  { title: 'NAME', align: 'left', cell: ({ name }) => name, paint: null },
  { title: 'SIZE', align: 'right', cell: ({ size }) => size, paint: null },
  { title: 'TEXT', align: 'left', cell: ({ text }) => text, paint: null },
];
const rows = [
  { name: 'a', size: '5', text: 'short' },
  { name: '漢字', size: '1234', text: 'a long text that does not fit into the room that is left' },
];

test('columns line up, also where characters are two columns wide', () => {
  expect(table({ columns, rows: rows.slice(0, 1), width: null, paint: palette(false) })).toEqual([
    'NAME  SIZE  TEXT',
    'a        5  short',
  ]);
  expect(table({ columns, rows, width: null, paint: palette(false) })[2]).toMatch(/^漢字  1234  a long/);
});

test('the last column is cut to the width of a terminal, and never cut where there is none', () => {
  const cut = table({ columns, rows, width: 40, paint: palette(false) });
  for (const line of cut) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  expect(cut[2]).toMatch(/…$/);
  expect(table({ columns, rows, width: null, paint: palette(false) })[2]).toMatch(/room that is left$/);
});

test('colour does not move a column', () => {
  const plain = table({ columns, rows, width: 60, paint: palette(false) });
  const painted = table({
    columns: columns.map((column) => ({ ...column, paint: palette(true).good })),
    rows,
    width: 60,
    paint: palette(true),
  });
  expect(painted.map((line) => stripVTControlCharacters(line))).toEqual(plain);
});

test('a cut never halves a character', () => {
  expect(fit('漢字漢字', 5)).toBe('漢字…');
  expect(fit('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
  expect(displayWidth('e\u0301')).toBe(1);
});
