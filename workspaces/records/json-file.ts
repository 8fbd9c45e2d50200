import type { z } from 'zod';
import { parseRecord } from '../../schemas/text/parse-record.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { replaceText, writeTextAtomically } from '../../system/write-atomically.ts';

/** Replace a record whole. Once this returns it outlives a power cut. */
export async function writeJsonAtomically(file: string, value: unknown): Promise<void> {
  await writeTextAtomically(file, jsonText(value));
}

/**
 * Replace a record whole, for what can be made again: a kill leaves the old or the new, a power cut may leave nothing
 * that can be read. Read it with `readDraft`.
 */
export async function writeDraft(file: string, value: unknown): Promise<void> {
  await replaceText(file, jsonText(value));
}

/** Null if there is no such file. Throws, naming the file, if it holds something else. */
export async function readJson<S extends z.ZodType>(file: string, schema: S): Promise<z.infer<S> | null> {
  const text = readTextIfAny(file);
  if (text === null) return null;
  try {
    return parseRecord(schema, JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} does not hold what it should`, { cause: error });
  }
}

/** A record written by `writeDraft`; null also if a power cut emptied it. Throws if it holds something else. */
export async function readDraft<S extends z.ZodType>(file: string, schema: S): Promise<z.infer<S> | null> {
  const text = readTextIfAny(file);
  // What was never flushed reads as nothing or as zeros.
  return text === null || /^\0*$/.test(text) ? null : await readJson(file, schema);
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
