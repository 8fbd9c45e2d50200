import type { Reaped } from '../../host/reap-lost.ts';
import { receiptLines } from './receipt-text.ts';

/** What dead workers had left, and how it ended, in lines. */
export function reapedLines(reaped: readonly Reaped[]): string[] {
  return reaped.flatMap(({ runId, round, attempt, receipt }) => {
    const where = round === 0 ? 'setup' : `round ${round}`;
    return [
      `Left by a worker that died: ${runId}, ${where}, attempt ${attempt}`,
      ...receiptLines(receipt).map((line) => `  ${line}`),
    ];
  });
}
