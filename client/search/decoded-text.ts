import type { Match, Matcher } from './matcher.ts';

/** A decoded text, with the match in it. */
export interface Found extends Match {
  readonly text: string;
}

/** The match in a plain line. */
export function findInText(matcher: Matcher, text: string): Found | null {
  const match = matcher.find(text);
  return match === null ? null : { text, ...match };
}

/**
 * The match in a line of an event stream: in one of its texts as they are meant, then in the whole line with its escapes
 * decoded, which also finds its keys and numbers, and serves what is no whole JSON. Any other line is a plain text.
 */
export function findInEvent(matcher: Matcher, line: string): Found | null {
  if (!/^\s*[{[]/.test(line)) return findInText(matcher, line);
  for (const text of textsIn(line)) {
    const found = findInText(matcher, text);
    if (found !== null) return found;
  }
  return findInText(matcher, unescaped(line));
}

/** The texts of a JSON document, in order; none where it is no JSON. Not recursive: how deep it is nested was never checked. */
function textsIn(line: string): string[] {
  let document: unknown;
  try {
    document = JSON.parse(line);
  } catch {
    // SyntaxError: a torn line, a piece of one, or a text that begins as JSON does.
    return [];
  }
  const texts: string[] = [];
  const open: unknown[] = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value).toReversed()) open.push(item);
    }
  }
  return texts;
}

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const unescaped = (line: string): string =>
  line.replaceAll(/\\(?:u([0-9a-f]{4})|([^u]))/gi, (whole, hex: string | undefined, char: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return char === undefined ? whole : (LETTERS[char] ?? char);
  });
