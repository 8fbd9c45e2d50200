import type { Proof, Receipt } from '../../schemas/receipt.ts';
import { duration } from './amounts.ts';
import { printableLine } from './printable.ts';

const PROOFS = {
  'namespace-gone': 'nothing of it is left (its process namespace is gone)',
  echild: 'nothing of it is left (its keeper has no child)',
  'nothing-started': 'nothing was running',
  'host-rebooted': 'nothing of it is left (the machine was restarted since)',
  observed: 'nothing of it was found, which is not proved on this system',
  unproved: 'NOT PROVED: something may still be running',
} as const satisfies Record<Proof, string>;

const MOST_NAMED = 8;

/** What a disposal found and proved, in a few lines: the first one holds the proof. */
export function receiptLines(receipt: Receipt): string[] {
  const { proof, mechanism, killed, left, signals, ms } = receipt;
  const killedInAll = killed.length + receipt.killedUnlisted;
  const lines = [`${PROOFS[proof]}; ${mechanism}, ${duration(ms)}`];
  if (signals.length > 0) {
    const names = [...new Set(signals.map(({ signal }) => signal))];
    const met = killedInAll === 0 ? 'nothing was left to kill' : `killed: ${killedInAll}`;
    lines.push(`signals: ${printableLine(names.join(', '))}; ${met}`);
  }
  for (const { pid, command } of killed.slice(0, MOST_NAMED)) lines.push(`killed ${pid} ${printableLine(command)}`);
  if (killedInAll > MOST_NAMED) lines.push(`and ${killedInAll - MOST_NAMED} more`);
  for (const { pid, command, why } of left) lines.push(`left ${pid} ${printableLine(command)}: ${printableLine(why)}`);
  return lines;
}
