import path from 'node:path';
import type { z } from 'zod';
import { ralphError, type RalphError } from '../../schemas/errors/index.ts';
import {
  MAX_REPOSITORY_DEFAULTS_BYTES,
  REPOSITORY_DEFAULTS_FILE,
  RepositoryDefaults,
} from '../../schemas/run/repository-defaults.ts';
import { jsonBreak } from '../../system/json-break.ts';
import { readUntrustedFile } from '../../workspaces/files/read-untrusted-file.ts';
import { nearestIds } from './nearest-ids.ts';

/**
 * The defaults that `ralph.json` in the top folder of the user's checkout proposes; none where there is no such file.
 * Throws RalphError where it cannot be read or breaks its schema: a default that is passed over in silence would
 * surprise.
 */
export async function readDefaults(topLevel: string): Promise<RepositoryDefaults> {
  const file = path.join(topLevel, REPOSITORY_DEFAULTS_FILE);
  const found = readUntrustedFile({ file, root: topLevel, maxBytes: MAX_REPOSITORY_DEFAULTS_BYTES });
  switch (found.kind) {
    case 'missing':
      return {};
    case 'rejected':
      throw ralphError('repository-defaults-unreadable', { file, reason: `it ${found.why}` });
    case 'read':
      return parseDefaults(found.bytes, file);
    default:
      return found satisfies never;
  }
}

function parseDefaults(bytes: Buffer, file: string): RepositoryDefaults {
  const unreadable = (reason: string, cause: unknown): RalphError =>
    ralphError('repository-defaults-unreadable', { file, reason }, { cause });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable('it is not UTF-8 text', error);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const where = jsonBreak(text);
    throw unreadable(where === null ? 'it is not JSON' : `it is not JSON: ${where}`, error);
  }
  const parsed = RepositoryDefaults.safeParse(content);
  if (parsed.success) return parsed.data;
  throw ralphError('repository-defaults-invalid', { file, problems: parsed.error.issues.flatMap(problemsOf) });
}

function problemsOf(issue: z.core.$ZodIssue): string[] {
  const { path: where, message } = issue;
  if (issue.code === 'unrecognized_keys' && where.length === 0) return issue.keys.map(unknownKey);
  return [where.length === 0 ? message : `${where.join('.')}: ${message}`];
}

function unknownKey(key: string): string {
  const [nearest] = nearestIds(key, Object.keys(RepositoryDefaults.shape));
  return `there is no key "${key}"${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}`;
}
