import type { Reaped } from '../../host/worker-process/reap-lost.ts';
import { receiptLines } from './receipt-text.ts';

/** What dead workers had left, and how it ended, in lines. */
export function reapedLines(reaped: readonly Reaped[]): string[] {
  return reaped.flatMap(({ runId, round, attempt, folder, receipt }) => {
    const where = round > 0 ? `round ${round}` : attempt === null ? 'before round 1' : 'setup';
    const what = attempt === null ? folder : `attempt ${attempt}`;
    return [
      `Left by a worker that died: ${runId}, ${where}, ${what}`,
      ...receiptLines(receipt).map((line) => `  ${line}`),
    ];
  });
}
