import type { Palette } from './palette.ts';

/** A unified diff in colour. */
export function diffColours(diff: string, paint: Palette): string {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(diff|index|---|\+\+\+|new file|deleted file|similarity|rename) ?/.test(line)) return paint.strong(line);
      if (line.startsWith('@@')) return paint.name(line);
      if (line.startsWith('+')) return paint.good(line);
      return line.startsWith('-') ? paint.bad(line) : line;
    })
    .join('\n');
}
