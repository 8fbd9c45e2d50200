import type { Terminal } from '../terminal/terminal.ts';
import { fit } from '../../client/describe/width.ts';

/** The one line at the foot of a terminal that is drawn again and again. Does nothing where nothing can be redrawn. */
export interface LiveLine {
  /** Draw the line, cut to the terminal's width. `text` is printable and may be coloured by `paint` afterwards. */
  draw(text: string, paint: (text: string) => string): void;
  /** Take the line away, so that a whole line can be printed. */
  clear(): void;
}

const ERASE = '\r\u001b[2K';

export function liveLine(terminal: Pick<Terminal, 'live' | 'columns' | 'draw'>): LiveLine {
  if (!terminal.live) return { draw: () => {}, clear: () => {} };
  let drawn = '';
  return {
    draw(text, paint) {
      const columns = terminal.columns();
      // The last column stays free: a full line makes some terminals wrap.
      const line = paint(columns === null ? text : fit(text, columns - 1));
      if (line === drawn) return;
      terminal.draw(ERASE + line);
      drawn = line;
    },
    clear() {
      if (drawn !== '') terminal.draw(ERASE);
      drawn = '';
    },
  };
}
