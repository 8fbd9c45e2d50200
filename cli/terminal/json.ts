/** Everything that a terminal may act upon and that JSON leaves as it is: DEL, C1, marks that turn reading order. */
const LEFT = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (document: string): string =>
  document.replaceAll(LEFT, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What `--json` prints: one document, indented, safe on a terminal. */
export function json(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** The same in one line, for a document per line. */
export function jsonLine(value: unknown): string {
  return escaped(JSON.stringify(value));
}
