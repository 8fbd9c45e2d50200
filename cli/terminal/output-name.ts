import type { TranscriptLine } from '../../client/follow/transcript.ts';
import { printableLine } from './printable.ts';

/** Whose output it is: "setup", "round 2, attempt 1", "round 2, gates: npm test", "round 2, review". */
export function outputName({
  what,
  round,
  attempt,
  command,
}: Omit<TranscriptLine, 'stream' | 'text' | 'activity'>): string {
  const where = round === 0 ? 'before round 1' : `round ${round}`;
  const again = attempt === 1 ? '' : ` (${attempt})`;
  switch (what) {
    case 'setup':
      return 'setup';
    case 'agent':
      return `${where}, attempt ${attempt}`;
    case 'gates':
      return `${where}, gates${again}: ${command === null ? 'unknown' : printableLine(command)}`;
    case 'review':
      return `${where}, review${again}`;
    default:
      return what satisfies never;
  }
}
