/** What somebody else said, in a prompt: every line of it behind a sign of its own, so nothing in it can end the quotation. */
export const quoted = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
