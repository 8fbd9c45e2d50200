import type { z } from 'zod';
import type { Redactor } from '../../redaction/redactor.ts';

/** What the activities of one machine need to know of it. */
export interface Machine {
  readonly ralphHome: string;
  /** The worker's own environment: agents get the names that their provider declares, nothing else. */
  readonly workerEnv: Readonly<Record<string, string | undefined>>;
  /** Everything that an agent has a hand in goes through it before it is written down or reported to Temporal. */
  readonly redactor: Redactor;
}

/** A record with secrets taken out of every string in it; still of its schema, or it throws. */
export function redacted<T>({ redactor, schema, record }: { redactor: Redactor; schema: z.ZodType<T>; record: T }): T {
  return schema.parse(redactor.json(record));
}
