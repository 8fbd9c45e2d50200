import type { Palette } from './palette.ts';

/** Lines "Name   value", names faint and of one width. A value of several lines is indented under its first. */
export function fields(rows: readonly (readonly [name: string, value: string])[], paint: Palette): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  const indent = `\n${' '.repeat(width)}`;
  return rows.map(([name, value]) => paint.faint(name.padEnd(width)) + value.replaceAll('\n', indent));
}
