import type { z } from 'zod';
import { AnyReport, Report, reportChars } from './report.ts';

type ReportProblem = { readonly code: 'report-invalid' | 'report-oversized'; readonly message: string };
export type CheckedReport =
  { readonly ok: true; readonly report: Report } | { readonly ok: false; readonly problem: ReportProblem };

/**
 * Hold a value to the report contract, as it stands: nothing is trimmed, cut or filled in.
 * @param maxChars the run's cap in UTF-16 code units of serialized JSON
 */
export function checkReport(value: unknown, maxChars: number): CheckedReport {
  const parsed = Report.safeParse(value);
  if (!parsed.success) {
    return {
      ok: false,
      problem: { code: 'report-invalid', message: `the report breaks its contract: ${issues(value, parsed.error)}` },
    };
  }
  const chars = reportChars(parsed.data);
  if (chars > maxChars) {
    return {
      ok: false,
      problem: {
        code: 'report-oversized',
        message: `the report holds ${chars} characters; at most ${maxChars} are allowed`,
      },
    };
  }
  return { ok: true, report: parsed.data };
}

/** Trim the outer white space of every string an agent wrote, then hold it to the contract. */
export function decodeReport(value: unknown, maxChars: number): CheckedReport {
  return checkReport(trimmed(value), maxChars);
}

function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, trimmed(item)]));
  }
  return value;
}

const MAX_ISSUES = 8;
const MAX_ISSUE_CHARS = 200;

function issues(value: unknown, { issues: found }: z.ZodError): string {
  // With an unknown status nothing else was looked at, and the next agent would be told one problem at a time.
  const all = AnyReport.safeParse(value).error?.issues ?? found;
  const lines = all.map((issue) => `${issue.path.join('.') || 'report'}: ${issue.message}`);
  const shown = lines.slice(0, MAX_ISSUES).map((line) => line.slice(0, MAX_ISSUE_CHARS));
  const more = lines.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
