import { ralphError } from '../../schemas/errors/index.ts';

const MAX_NOTE_CHARS = 4_096;

/** What the user says to a run that they resume, without outer white space. Throws RalphError `note-too-long`, `option-empty`. */
export function userNote(note: string): string {
  const said = note.trim();
  if (said === '') throw ralphError('option-empty', { option: '--note' });
  if (said.length > MAX_NOTE_CHARS) {
    throw ralphError('note-too-long', { chars: said.length, limit: MAX_NOTE_CHARS });
  }
  return said;
}
