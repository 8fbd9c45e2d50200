const MARK = '[… the beginning is left out]\n';

/** The end of a text, within `most` UTF-16 code units, with a mark where something is missing. Surrogate pairs stay whole. */
export function keepEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(text.length - Math.max(0, most - MARK.length)).replace(/^[\uDC00-\uDFFF]/, '');
  return MARK + kept;
}

/** The ends of two texts, one after the other, within `most`: a short one leaves its room to the other. */
export function keepEnds(first: string, second: string, most: number): string {
  if (first === '' || second === '') return keepEnd(first + second, most);
  const room = most - 1;
  const half = Math.floor(room / 2);
  const forSecond = Math.max(half, room - first.length);
  const end = keepEnd(second, forSecond);
  return `${keepEnd(first, room - end.length)}\n${end}`;
}
