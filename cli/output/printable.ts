import { stripVTControlCharacters } from 'node:util';

/** Everything a terminal may act upon, but for line feed and tab: C0, DEL, C1, and the marks that turn reading order. */
const CONTROLS = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Text that others wrote, safe to print: no escape sequence, no control character. Lines and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n')).replaceAll(CONTROLS, '');
}

/** The same in one line: white space of every kind becomes one space. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}
