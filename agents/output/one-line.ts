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
