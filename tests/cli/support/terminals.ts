import { palette } from '../../../cli/terminal/palette.ts';
import type { Terminal } from '../../../cli/terminal/terminal.ts';

export interface Printed {
  stdout: string;
  stderr: string;
}

/** A terminal that keeps what is printed; `columns` null: a pipe. */
function keeping(columns: number | null): { terminal: Terminal; printed: Printed } {
  const printed = { stdout: '', stderr: '' };
  const err = (text: string): void => {
    printed.stderr += `${text}\n`;
  };
  const draw = (text: string): void => {
    printed.stdout += text;
  };
  return {
    printed,
    terminal: {
      out: (text) => draw(`${text}\n`),
      err,
      note: err,
      draw,
      live: columns !== null,
      columns: () => columns,
      paint: palette(false),
      paintErr: palette(false),
    },
  };
}

export const pipe = (): { terminal: Terminal; printed: Printed } => keeping(null);
export const screen = (columns: number): { terminal: Terminal; printed: Printed } => keeping(columns);

/** What stands on a screen in the end: every `\r ESC[2K` takes the line away that it stands in. */
export function seen(stdout: string): string[] {
  return stdout.split('\n').map((line) => line.split('\r\u001b[2K').at(-1) ?? '');
}
