import { ralphError } from '../schemas/errors/index.ts';
import type { Handoff } from '../schemas/report.ts';
import { fitHandoff } from '../schemas/fit-handoff.ts';

const MAX_NOTE_CHARS = 4_096;
/** For the rest of a report, however short. */
const ROOM = 300;

/** A handoff with the user's note as its first next step, whole. Throws RalphError `note-too-long`, `option-empty`. */
export function withNote(handoff: Handoff | null, note: string | null, maxHandoffChars: number): Handoff | null {
  if (note === null) return handoff;
  const said = note.trim();
  if (said === '') throw ralphError('option-empty', { option: '--note' });
  const chars = JSON.stringify(said).length - 2;
  const limit = Math.max(0, Math.min(MAX_NOTE_CHARS, Math.floor((maxHandoffChars - ROOM) / 2)));
  if (chars > limit) throw ralphError('note-too-long', { chars, limit });
  const before: Handoff = handoff ?? {
    status: 'continue',
    summary: 'No round has reported yet.',
    evidence: [],
    nextSteps: ['Look at the workspace first: work may have been left in it.'],
    blocker: '',
  };
  const nextSteps = [`The user says: ${said}`, ...before.nextSteps];
  return fitHandoff({ ...before, nextSteps }, { whole: 1, maxChars: maxHandoffChars });
}
