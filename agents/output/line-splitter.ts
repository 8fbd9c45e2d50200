const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines and hands each one on as text. Holds at most `maxBytes`: a longer line is left out
 * whole.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Hand on what stands after the last newline. */
  end(): void {
    const whole = this.#bytes <= this.#maxBytes;
    const line = Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    this.#bytes = 0;
    if (whole && line.trim() !== '') this.#onLine(line.replace(/\r$/, ''));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }
}
