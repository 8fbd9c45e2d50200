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
