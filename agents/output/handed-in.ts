import { failed } from '../faults/faults.ts';
import type { AgentReading } from '../provider.ts';
import { repeatedKey } from './repeated-key.ts';

const MAX_KEY_CHARS = 80;

/** A report or review of which JSON.parse took the text, unless a key is in it twice: which of the two counts? */
export function handedIn(value: unknown, json: string, name: string): AgentReading['report'] {
  const key = repeatedKey(json);
  if (key === null) return { kind: 'candidate', value };
  return failed('report-invalid', `the ${name} has "${key.slice(0, MAX_KEY_CHARS)}" twice`, null);
}
