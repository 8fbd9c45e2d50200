/**
 * Keep a text within `maxChars` UTF-16 code units: a longer one keeps its beginning and ends in a mark that says how
 * much is missing. Surrogate pairs stay whole.
 */
export function boundText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const mark = `\n[cut: ${text.length} characters in all]`;
  if (mark.length >= maxChars) return wholePairs(text.slice(0, maxChars));
  return wholePairs(text.slice(0, maxChars - mark.length)) + mark;
}

function wholePairs(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
