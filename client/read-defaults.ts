import path from 'node:path';
import type { z } from 'zod';
import { ralphError } from '../schemas/errors/index.ts';
import {
  MAX_REPOSITORY_DEFAULTS_BYTES,
  REPOSITORY_DEFAULTS_FILE,
  RepositoryDefaults,
} from '../schemas/repository-defaults.ts';
import { readUntrustedFile } from '../workspaces/read-untrusted-file.ts';

/**
 * The defaults that `ralph.json` in the top folder of the user's checkout proposes; none where there is no such file.
 * Throws RalphError where it cannot be read or breaks its schema: a default that is passed over in silence would
 * surprise.
 */
export async function readDefaults(topLevel: string): Promise<RepositoryDefaults> {
  const file = path.join(topLevel, REPOSITORY_DEFAULTS_FILE);
  const found = await readUntrustedFile({ file, root: topLevel, maxBytes: MAX_REPOSITORY_DEFAULTS_BYTES });
  switch (found.kind) {
    case 'missing':
      return {};
    case 'refused':
      throw ralphError('repository-defaults-unreadable', { file, reason: `it ${found.why}` });
    case 'read':
      return parseDefaults(found.bytes, file);
    default:
      return found satisfies never;
  }
}

function parseDefaults(bytes: Buffer, file: string): RepositoryDefaults {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw ralphError('repository-defaults-unreadable', { file, reason: 'it is not JSON' }, { cause: error });
  }
  const parsed = RepositoryDefaults.safeParse(content);
  if (parsed.success) return parsed.data;
  throw ralphError('repository-defaults-invalid', { file, problems: parsed.error.issues.map(problemOf) });
}

function problemOf({ path: where, message }: z.core.$ZodIssue): string {
  return where.length === 0 ? message : `${where.join('.')}: ${message}`;
}
