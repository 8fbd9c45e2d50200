import type { z } from 'zod';

/**
 * One line of a stream of events as an event that the schema knows, else null: programs print other things too. A field
 * that the schema leaves open may be nested to any depth: walk through it only after `nestingOf`.
 */
export function jsonLine<S extends z.ZodType>(schema: S, line: string): z.output<S> | null {
  if (!line.startsWith('{')) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
