import { MAX_LISTED, type Receipt, type SeenProcess } from '../../../schemas/round/receipt.ts';
import { describeProcess } from './describe-process.ts';
import type { ProcessEntry } from '../../../system/processes/process-entry.ts';

/** What was killed, as a receipt has it. */
export function listed(seen: readonly SeenProcess[], inAll: number): Pick<Receipt, 'killed' | 'killedUnlisted'> {
  const killed = seen.slice(0, MAX_LISTED);
  return { killed, killedUnlisted: inAll - killed.length };
}

export function describeSome(entries: readonly ProcessEntry[]): Pick<Receipt, 'killed' | 'killedUnlisted'> {
  return listed(entries.slice(0, MAX_LISTED).map(describeProcess), entries.length);
}
