import { failed } from '../faults/faults.ts';
import type { AgentReading } from '../provider.ts';

const MAX_KEY_CHARS = 80;

/** A report or review of which JSON.parse took the text, unless a key is in it twice: which of the two counts? */
export function submittedReport(value: unknown, json: string, name: string): AgentReading['report'] {
  const key = repeatedKey(json);
  if (key === null) return { kind: 'candidate', value };
  return failed('report-invalid', `the ${name} has "${key.slice(0, MAX_KEY_CHARS)}" twice`, null);
}

/** Strings, with the colon that makes one a key, and what opens and closes objects and lists. */
const TOKENS = /"([^"\\]*(?:\\[^][^"\\]*)*)"(\s*:)?|[{}[\]]/g;

/**
 * The first key that an object in a JSON text has twice, where JSON.parse takes the last and says nothing; null: none.
 * The text must be one that JSON.parse takes.
 */
export function repeatedKey(json: string): string | null {
  const open: Set<string>[] = [];
  for (const [token, text = '', colon] of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const key: unknown = JSON.parse(`"${text}"`);
      const keys = open.at(-1);
      if (typeof key !== 'string' || keys === undefined) continue;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return null;
}
