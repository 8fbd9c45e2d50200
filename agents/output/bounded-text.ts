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

/** Text of an agent as one line without control characters, cut to `max` UTF-16 code units with a mark. */
export function oneLine(text: string, max: number): string {
  // Cut first: the text may be a megabyte, and nothing grows when white space is joined.
  const line = text
    .slice(0, max * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(HALF_PAIR, '')}…`;
}

const HALF_PAIR = /[\uD800-\uDBFF]$/;
