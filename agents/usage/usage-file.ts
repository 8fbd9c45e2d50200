import { z } from 'zod';
import type { Usage } from '../../schemas/round/usage.ts';
import { parseUntrustedJson } from '../../system/untrusted-json.ts';
import type { ReportedUse } from '../provider.ts';
import { eachUsage } from './running-usage.ts';

/** More than any real one: it holds seven fields. */
export const MAX_USAGE_FILE_BYTES = 65_536;

/** What a command agent writes of what it used so far, into the file that RALPH_USAGE_FILE names. */
const UsageFile = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheWriteTokens: z.int().nonnegative().default(0),
  cacheReadTokens: z.int().nonnegative().default(0),
  costUsd: z.number().nonnegative().nullable().default(null),
  /** Where it states no cost: whose prices count. */
  model: z.string().min(1).max(200).nullable().default(null),
});

/** Null: not what a usage file is, or half of one. */
export function parseUsageFile(text: string): ReportedUse | null {
  try {
    const parsed = UsageFile.safeParse(parseUntrustedJson(text));
    if (!parsed.success) return null;
    const { costUsd, model, ...usage } = parsed.data;
    return { usage, costUsd, model };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What was told in all, as a file that is written anew may tell less than before: of each figure the highest. */
export function highestUse(before: ReportedUse, now: ReportedUse): ReportedUse {
  return {
    usage: highestUsage(before.usage, now.usage),
    costUsd: highest(before.costUsd, now.costUsd),
    model: now.model === null ? before.model : now.model,
  };
}

function highestUsage(before: Usage | null, now: Usage | null): Usage | null {
  return before === null || now === null ? (now ?? before) : eachUsage(before, now, Math.max);
}

const highest = (before: number | null, now: number | null): number | null =>
  before === null || now === null ? (now ?? before) : Math.max(before, now);
