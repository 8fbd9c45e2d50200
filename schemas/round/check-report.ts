import type { z } from 'zod';
import { contractIssues, halfCharacter, loneSurrogate, trimmed } from './contract-issues.ts';
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
      problem: {
        code: 'report-invalid',
        message: `the agent's report breaks its contract: ${issues(value, parsed.error)}`,
      },
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

/** Trim the outer white space of every string an agent wrote, which must be Unicode, then hold it to the contract. */
export function decodeReport(value: unknown, maxChars: number): CheckedReport {
  const half = loneSurrogate(value);
  if (half !== null) return { ok: false, problem: { code: 'report-invalid', message: halfCharacter('report', half) } };
  return checkReport(trimmed(value), maxChars);
}

function issues(value: unknown, { issues: found }: z.ZodError): string {
  // With an unknown status nothing else was looked at, and the next agent would be told one problem at a time.
  const all = AnyReport.safeParse(value).error?.issues ?? found;
  return contractIssues(all, { value, name: 'report', fields: Object.keys(AnyReport.shape) });
}
