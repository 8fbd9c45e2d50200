import { cancelAndStartNew, checkText, missingNotes, saidLines } from '../../client/describe/check-words.ts';
import { gatesOf } from '../../client/view/round-view.ts';
import type { CheckOutcome, CheckRow } from '../../client/view/round-view.ts';
import type { Palette } from '../terminal/palette.ts';

export function checkColour({ kind }: CheckOutcome, paint: Palette): (text: string) => string {
  if (kind === 'accepted') return paint.good;
  return kind === 'rejected' || kind === 'failed' ? paint.bad : paint.name;
}

const SIGNS = {
  baseline: '·',
  accepted: '✓',
  rejected: '✗',
  failed: '✗',
  interrupted: '!',
  'under-way': '·',
} as const satisfies Record<CheckOutcome['kind'], string>;

/** A check that ended, in lines of what follows a run, with what gates that failed said; none: it has not ended. */
export function checkEvent(row: CheckRow, runId: string, paint: Palette): string[] {
  const { outcome } = row;
  if (outcome.kind === 'under-way') return [];
  const colour = checkColour(outcome, paint);
  const gates = gatesOf(row);
  return [
    `${colour(SIGNS[outcome.kind])} ${checkText(row, colour)}`,
    ...saidLines(gates).map((line) => `    ${line}`),
    ...missingNotes(gates, cancelAndStartNew(runId)).map((note) => `! ${note}`),
  ];
}
