import type { SeenProcess } from '../../schemas/receipt.ts';
import { describeProcess } from './describe-process.ts';
import type { Ending } from './gated-container.ts';
import { killProcess } from './process-identity.ts';
import type { KillResult } from './process-identity.ts';
import type { ProcessEntry } from './process-table.ts';
import { waitUntil } from './wait-until.ts';

/** Looks in a row that must find nothing: between two, a process may fork and end. */
const CALM_LOOKS = 3;
const MAX_LISTED = 64;

/**
 * Kill whatever a look finds, until looks find nothing more. That is an observation and no proof: what does not bear
 * what is looked for stays.
 */
export async function endByLooking(look: () => ProcessEntry[], proveMs: number): Promise<Ending> {
  const killed = new Map<number, SeenProcess>();
  const left = new Map<number, { entry: ProcessEntry; result: KillResult }>();
  let calm = 0;
  const isCalm = (): boolean => {
    left.clear();
    for (const entry of look()) {
      const seen = describeProcess(entry);
      const result = killProcess(entry, 'SIGKILL');
      if (result === 'sent' && killed.size < MAX_LISTED) killed.set(entry.pid, seen);
      if (result !== 'gone') left.set(entry.pid, { entry, result });
    }
    calm = left.size === 0 ? calm + 1 : 0;
    return calm >= CALM_LOOKS;
  };
  const observed = await waitUntil(isCalm, proveMs);
  const common = {
    signals: [...killed.keys()].map((pid) => ({ signal: 'SIGKILL', pid })),
    killed: [...killed.values()],
  };
  if (observed) return { proof: 'observed', ...common, left: [] };
  const why = (result: KillResult): string =>
    result === 'not-permitted'
      ? 'not permitted: it belongs to another user'
      : `still there ${proveMs} ms after SIGKILL`;
  return {
    proof: 'unproved',
    ...common,
    left: [...left.values()].map(({ entry, result }) => ({ ...describeProcess(entry), why: why(result) })),
  };
}
