/** Where a secret stands in a text. */
export interface Found {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** What stands in a secret's place. */
const mark = (name: string): string => `[redacted: ${name}]`;

/** Whether something was redacted in a text. */
export const holdsMark = (text: string): boolean => /\[redacted: [^\]\n]{1,100}\]/.test(text);

/** @param found in order and apart */
export function replaced(text: string, found: readonly Found[]): string {
  let result = '';
  let at = 0;
  for (const { from, to, name } of found) {
    result += text.slice(at, from) + mark(name);
    at = to;
  }
  return result + text.slice(at);
}

/** In order, with what overlaps made one. */
export function apart(found: readonly Found[]): Found[] {
  const result: Found[] = [];
  for (const next of found.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || next.from >= last.to) result.push(next);
    else result[result.length - 1] = { ...last, to: Math.max(last.to, next.to) };
  }
  return result;
}
