const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=\s*/;
const BLANK_OR_COMMENT = /^\s*(?:#|$)/;

/** Number of the first line (from 1) of an env file that is neither NAME=value, nor a comment, nor blank; else null. */
export function strayLine(text: string): number | null {
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (BLANK_OR_COMMENT.test(line)) continue;
    const assigned = ASSIGNMENT.exec(line);
    if (assigned === null) return at + 1;
    const value = line.slice(assigned[0].length);
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote === undefined || value.includes(quote, 1)) continue;
    // A quoted value may go on to where its quote closes. One that nowhere does is a value of its line.
    const end = lines.findIndex((later, index) => index > at && later.includes(quote));
    if (end !== -1) at = end;
  }
  return null;
}
