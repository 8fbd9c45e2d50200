import { oneLine } from './bounded-text.ts';

const MAX_ACTIVITY_CHARS = 160;

/** What of a tool's input tells most, best first. */
const TELLING = ['command', 'cmd', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'description', 'prompt'];

/** What an agent is doing, in one bounded line: some words of its own, or a tool's name with what it works on. */
export function activity(words: string, input?: unknown): string {
  const telling = input === undefined ? null : tellingPart(input);
  return oneLine(telling === null ? words : `${words}: ${telling}`, MAX_ACTIVITY_CHARS);
}

function tellingPart(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const values = new Map<string, unknown>(Object.entries(input));
  for (const name of TELLING) {
    const value = values.get(name);
    if (typeof value === 'string') return value;
  }
  return null;
}
