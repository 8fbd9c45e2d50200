import { AttemptOutcome } from '../../schemas/round/round.ts';
import { RunRequest } from '../../schemas/run/run.ts';
import { parseRecord } from '../../schemas/text/parse-record.ts';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import type { Place } from './search-event.ts';

/** A text of a record. `field`: null: the objective. */
interface RecordText {
  readonly field: string | null;
  readonly text: string;
}

/** What a record says in words: an objective, a report, or a review's reasons. Throws SyntaxError, ZodError. */
export function textsInRecord({ where, part }: Pick<Place, 'where' | 'part'>, json: string): RecordText[] {
  const record: unknown = JSON.parse(json);
  if (where === 'objective') return [{ field: null, text: parseRecord(RunRequest, record).objective }];
  return part === 'review'
    ? textsInReview(parseRecord(ReviewRecord, record))
    : textsInOutcome(parseRecord(AttemptOutcome, record));
}

function textsInOutcome(outcome: AttemptOutcome): RecordText[] {
  switch (outcome.kind) {
    case 'reported': {
      const { summary, evidence, nextSteps, blocker } = outcome.report;
      return [
        { field: 'summary', text: summary },
        ...evidence.map((text) => ({ field: 'evidence', text })),
        ...nextSteps.map((text) => ({ field: 'nextSteps', text })),
        { field: 'blocker', text: blocker },
        { field: 'finalText', text: outcome.finalText ?? '' },
      ];
    }
    case 'failed':
      return [{ field: 'fault', text: `${outcome.fault.code}: ${outcome.fault.message}` }];
    case 'interrupted':
      return [];
    default:
      return outcome satisfies never;
  }
}

function textsInReview(record: ReviewRecord): RecordText[] {
  switch (record.kind) {
    case 'reviewed':
      return record.review.reasons.map((text) => ({ field: 'reasons', text }));
    case 'failed':
      return [{ field: 'fault', text: `${record.fault.code}: ${record.fault.message}` }];
    case 'interrupted':
      return [];
    default:
      return record satisfies never;
  }
}
