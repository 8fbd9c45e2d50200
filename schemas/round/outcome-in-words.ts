import type { AttemptOutcome } from './round.ts';

/** How an attempt ended, as tables say it: the report's status, the fault's code or what interrupted it, and the text. */
export function outcomeInWords(outcome: AttemptOutcome): { outcome: string; summary: string } {
  switch (outcome.kind) {
    case 'reported':
      return { outcome: outcome.report.status, summary: outcome.report.summary };
    case 'failed':
      return { outcome: outcome.fault.code, summary: outcome.fault.message };
    case 'interrupted':
      return { outcome: outcome.by, summary: '' };
    default:
      return outcome satisfies never;
  }
}
