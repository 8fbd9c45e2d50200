import type { z } from 'zod';

/**
 * Parse what an engine wrote down, this version or a newer one: fields that the schema does not know are passed over,
 * at any depth; everything else is held to it. What an engine is *asked* to do is parsed as it stands: a field that is
 * not understood there could be a restriction. Throws ZodError.
 */
export function parseRecord<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const record = safeParseRecord(schema, value);
  if (record.success) return record.data;
  throw record.error;
}

export function safeParseRecord<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.infer<S>> {
  let parsed = schema.safeParse(value);
  let known = value;
  // Each turn takes fields out, so there is a last one.
  while (!parsed.success) {
    const unknown = parsed.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
    if (unknown.length < parsed.error.issues.length) return parsed;
    for (const { path, keys } of unknown) known = without(known, path, keys);
    parsed = schema.safeParse(known);
  }
  return parsed;
}

/** A copy in which the object at `path` lacks these keys. */
function without(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? without(item, rest, keys) : item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    step === undefined
      ? fields.filter(([key]) => !keys.includes(key))
      : fields.map(([key, item]) => [key, key === step ? without(item, rest, keys) : item]),
  );
}
