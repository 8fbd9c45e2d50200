import { type Palette, palette, wantsColour } from './palette.ts';

/** Where a command prints. What it is asked for goes to `out`, everything said on the side to `err`. */
export interface Terminal {
  /** Whole lines for stdout. */
  out(text: string): void;
  /** Whole lines for stderr. */
  err(text: string): void;
  /** Something said on the side, faint. */
  note(text: string): void;
  /** Text for stdout as it stands, to draw a line again. */
  draw(text: string): void;
  /** Whether stdout is a terminal on which a line can be drawn again. */
  readonly live: boolean;
  /** Columns of stdout; null where it is no terminal and nothing needs to be cut. */
  columns(): number | null;
  /** For what goes to stdout. */
  readonly paint: Palette;
  /** For what goes to stderr. */
  readonly paintErr: Palette;
}

export function processTerminal(env: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = process;
  // A reader that has seen enough (`ralph list | head`) is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
  const paintErr = palette(wantsColour({ isTerminal: stderr.isTTY, env }));
  const err = (text: string): void => void stderr.write(`${text}\n`);
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err,
    note: (text) => err(paintErr.faint(text)),
    draw: (text) => void stdout.write(text),
    live: stdout.isTTY && env['TERM'] !== 'dumb',
    columns: () => (stdout.isTTY ? stdout.columns : null),
    paint: palette(wantsColour({ isTerminal: stdout.isTTY, env })),
    paintErr,
  };
}
