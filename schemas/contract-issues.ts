import type { z } from 'zod';

const MAX_ISSUES = 8;
const MAX_ISSUE_CHARS = 200;

/** What of a contract is broken, in one bounded line. @param name what holds the fields */
export function contractIssues(issues: readonly z.core.$ZodIssue[], name: string): string {
  const lines = issues.map((issue) => `${issue.path.join('.') || name}: ${issue.message}`);
  const shown = lines.slice(0, MAX_ISSUES).map((line) => line.slice(0, MAX_ISSUE_CHARS));
  const more = lines.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
