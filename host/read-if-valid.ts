import type { z } from 'zod';
import { readTextIfAny } from '../system/read-text.ts';

/** A file of ours that is replaced as a whole; null where there is none, or none that this version can read. */
export async function readIfValid<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = readTextIfAny(file);
  if (text === null) return null;
  const read = schema.safeParse(parse(text));
  return read.success ? read.data : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON.parse throws for one reason only; the schema refuses undefined.
    return undefined;
  }
}
