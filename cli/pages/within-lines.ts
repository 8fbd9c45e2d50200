import { excerpt } from '../text/excerpt.ts';

const LEAST = 4;

/** A text of several lines in at most so many: its first one, and of the rest what tells most. */
export function shortened(text: string, most: number): string {
  const [first = '', ...rest] = text.trim().split('\n');
  return rest.length < most ? text.trim() : [first, ...excerpt(rest.join('\n'), most - 1)].join('\n');
}

/** Texts that are so many lines all together: the longest are shortened, none to less than a few lines. */
export function withinLines(texts: readonly string[], most: number): string[] {
  const shown = [...texts];
  for (let over = lines(shown) - most; over > 0; over = lines(shown) - most) {
    const longest = shown.reduce((at, text, i) => (count(text) > count(shown[at] ?? '') ? i : at), 0);
    const text = shown[longest];
    if (text === undefined || count(text) <= LEAST) break;
    shown[longest] = shortened(text, Math.max(LEAST, count(text) - over));
  }
  return shown;
}

const count = (text: string): number => text.split('\n').length;
const lines = (texts: readonly string[]): number => texts.reduce((total, text) => total + count(text), 0);
