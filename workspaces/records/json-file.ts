import type { z } from 'zod';
import { parseRecord } from '../../schemas/text/parse-record.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { writeTextAtomically } from '../../system/write-atomically.ts';

export async function writeJsonAtomically(file: string, value: unknown): Promise<void> {
  await writeTextAtomically(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Null where there is no such file. Throws, naming the file, where it holds something else. */
export async function readJson<S extends z.ZodType>(file: string, schema: S): Promise<z.infer<S> | null> {
  const text = await readTextIfAny(file);
  if (text === null) return null;
  try {
    return parseRecord(schema, JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} does not hold what it should`, { cause: error });
  }
}
