/** A text as one word of a shell command that somebody may copy: it can do nothing but stand for itself. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
