import type { RoundRow } from '../view/round-view.ts';
import { printableLine } from '../../system/printable.ts';

/** What a reader of a run must know before pushing: which rounds committed a known secret. Null: none. */
export function committedSecretsText(runId: string, rounds: readonly RoundRow[]): string | null {
  const telling = rounds.filter(({ secrets }) => secrets.length > 0);
  if (telling.length === 0) return null;
  const names = [...new Set(telling.flatMap(({ secrets }) => secrets))].map(printableLine).join(', ');
  const numbers = telling.map(({ round }) => round);
  const where = `${numbers.length === 1 ? 'round' : 'rounds'} ${numbers.join(', ')}`;
  return `The commits of ${where} hold a secret: ${names}. Do not push them; ralph show ${printableLine(runId)} --round ${numbers[0]} names the files.`;
}
