/** Somebody else's text in a prompt. Each line has a prefix, so that nothing in the text can end the quotation. */
export const quoted = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
