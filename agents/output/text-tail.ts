/** The last `max` UTF-16 code units of a text that comes in pieces, with a mark where more was cut off. */
export class TextTail {
  readonly #max: number;
  #kept = '';
  #cut = false;

  constructor(max: number) {
    this.#max = max;
  }

  add(piece: string): void {
    this.#kept += piece;
    // Cut at twice the length, so that many short pieces do not copy the whole each time.
    if (this.#kept.length > this.#max * 2) this.#trim();
  }

  /** Null where nothing but white space came. */
  text(): string | null {
    this.#trim();
    const text = this.#kept.trim();
    if (text === '') return null;
    return this.#cut ? `${CUT_MARK}${text.slice(CUT_MARK.length)}` : text;
  }

  #trim(): void {
    if (this.#kept.length <= this.#max) return;
    this.#kept = this.#kept.slice(-this.#max);
    this.#cut = true;
  }
}

const CUT_MARK = '[… cut] ';
