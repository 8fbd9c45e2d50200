import type { z } from 'zod';

const MAX_ISSUES = 8;
const MAX_ISSUE_CHARS = 200;
const MAX_SHOWN_CHARS = 60;

/** What of a contract is broken, in one bounded line: each field, what was there, and what is expected. */
export function contractIssues(
  issues: readonly z.core.$ZodIssue[],
  { value, name, fields }: { value: unknown; name: 'report' | 'review'; fields: readonly string[] },
): string {
  const lines = issues.map((issue) => inWords(issue, { value, name, fields }));
  const shown = lines.slice(0, MAX_ISSUES).map((line) => line.slice(0, MAX_ISSUE_CHARS));
  const more = lines.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function inWords(
  issue: z.core.$ZodIssue,
  { value, name, fields }: { value: unknown; name: string; fields: readonly string[] },
): string {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => JSON.stringify(key).slice(0, MAX_SHOWN_CHARS)).join(', ');
    return `${keys}: no such field; a ${name} has ${fields.join(', ')}`;
  }
  const there = whatIs(valueAt(value, issue.path));
  if (place === '') return `it is ${there}, and must be an object with the fields ${fields.join(', ')}`;
  if (issue.code === 'invalid_type')
    return `${place} is ${there}, and must be ${TYPES.get(issue.expected) ?? 'of another kind'}`;
  if (issue.code === 'invalid_value') return `${place} is ${there}, and ${issue.message}`;
  return `${place} ${issue.message}`;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, key)?.value;
  }
  return at;
}

function whatIs(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const shown = JSON.stringify(value);
  return shown.length <= MAX_SHOWN_CHARS ? shown : `${shown.slice(0, MAX_SHOWN_CHARS)}…`;
}

/** Where in what an agent wrote half a character stands, which no UTF-8 can hold: "evidence.0"; null: nowhere. */
export function loneSurrogate(value: unknown): string | null {
  if (typeof value === 'string') return /\p{Cs}/u.test(value) ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const inner = loneSurrogate(item);
    if (inner !== null) return inner === '' ? key : `${key}.${inner}`;
  }
  return null;
}

/** What that breaks, in words. @param name what holds the text */
export function halfCharacter(name: string, path: string): string {
  return `the ${name} is not Unicode text: ${path.slice(0, 80) || name} holds half a character (\\ud800 to \\udfff)`;
}

/** What an agent wrote, with the outer white space of every string in it taken off. */
export function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, trimmed(item)]));
  }
  return value;
}
