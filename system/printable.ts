const ESC = String.fromCharCode(0x1b);
const CSI = String.fromCharCode(0x9b);

/**
 * A sequence that a terminal acts upon, with its parameters: digits and punctuation, at most a final letter. The text of
 * an OSC, DCS and the like is no part of it: a terminal may hide that, and an agent must not be able to hide words.
 */
const SEQUENCE = new RegExp(`(?:${ESC}\\[|${CSI})[0-?]{0,64}[ -/]{0,2}[@-~]|${ESC}(?:[ -/]{1,2}[0-~]|[0-?])`, 'g');

/** Everything a terminal may act upon, but for line feed and tab: C0, DEL, C1, and the marks that turn reading order. */
const CONTROLS = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Text that others wrote, safe to print: no escape sequence, no control character. Words, lines and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(SEQUENCE, '').replaceAll(CONTROLS, '');
}

/** The same in one line: white space of every kind becomes one space. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

/** A sequence that only sets a colour: it hides nothing. */
const COLOUR = new RegExp(`(?:${ESC}\\[|${CSI})[0-9;:]{0,64}m`, 'g');

/**
 * The same for a page, where room is not as short: what a terminal may act upon is shown by a symbol ("␛", "⟨U+202E⟩"),
 * so that a reader sees that it is there. Lines stay as they are.
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(COLOUR, '').replaceAll(CONTROLS, symbolOf);
}

function symbolOf(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
