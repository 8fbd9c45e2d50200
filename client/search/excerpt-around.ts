import { printable } from '../../system/printable.ts';
import type { Found } from './decoded-text.ts';
import type { Excerpt } from './search-event.ts';

const BEFORE_CHARS = 80;
const MATCH_CHARS = 200;
const AFTER_CHARS = 160;

/** The text around a match, bounded and safe to print. */
export function excerptAround({ text, start, end }: Found): Excerpt {
  const from = Math.max(0, start - BEFORE_CHARS);
  const matchEnd = Math.min(end, start + MATCH_CHARS);
  const isCut = matchEnd < end;
  const to = isCut ? matchEnd : Math.min(text.length, end + AFTER_CHARS);
  const before = inLine(text.slice(from, start)).trimStart();
  const after = inLine(text.slice(matchEnd, to)).trimEnd();
  return {
    before: from > 0 ? `…${before}` : before,
    match: inLine(text.slice(start, matchEnd)),
    after: isCut || to < text.length ? `${after}…` : after,
  };
}

/** In one line, with the spaces at its ends. Half of a surrogate pair, where it was cut, is left out. */
const inLine = (text: string): string =>
  printable(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
