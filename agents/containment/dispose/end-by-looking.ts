import { durationText } from '../../../schemas/text/duration.ts';
import { MAX_LISTED } from '../../../schemas/round/max-listed.ts';
import type { SeenProcess } from '../../../schemas/round/receipt.ts';
import { describeProcess, listed } from './describe-process.ts';
import type { Ending } from '../start/open-container.ts';
import { killProcess } from '../../../system/processes/process-identity.ts';
import type { KillResult } from '../../../system/processes/process-identity.ts';
import type { ProcessEntry } from '../../../system/processes/process-entry.ts';
import { waitUntil } from './wait-until.ts';

/** Looks in a row that must find nothing: between two, a process may fork and end. */
const CALM_LOOKS = 3;

/**
 * Kill whatever a look finds, until looks find nothing more. That is an observation and no proof: what does not bear
 * what is looked for stays.
 */
export async function endByLooking(look: () => ProcessEntry[], proveMs: number): Promise<Ending> {
  const killed: SeenProcess[] = [];
  const counted = new Set<string>();
  const left = new Map<number, { entry: ProcessEntry; result: KillResult }>();
  let calm = 0;
  const isCalm = (): boolean => {
    left.clear();
    for (const entry of look()) {
      const key = `${entry.pid} ${entry.startTime}`;
      const fresh = !counted.has(key);
      const seen = fresh && counted.size < MAX_LISTED ? describeProcess(entry) : null;
      const result = killProcess(entry, 'SIGKILL');
      if (result === 'sent' && fresh) {
        counted.add(key);
        if (seen !== null) killed.push(seen);
      }
      if (result !== 'gone') left.set(entry.pid, { entry, result });
    }
    calm = left.size === 0 ? calm + 1 : 0;
    return calm >= CALM_LOOKS;
  };
  const observed = await waitUntil(isCalm, proveMs);
  const common = {
    signals: killed.map(({ pid, command }) => ({ signal: 'SIGKILL', pid, command })),
    ...listed(killed, counted.size),
  };
  if (observed) return { proof: 'observed', ...common, left: [] };
  const why = (result: KillResult): string =>
    result === 'not-permitted'
      ? 'not permitted: it belongs to another user'
      : `still there ${durationText(proveMs)} after SIGKILL`;
  return {
    proof: 'unproved',
    ...common,
    left: [...left.values()]
      .slice(0, MAX_LISTED)
      .map(({ entry, result }) => ({ ...describeProcess(entry), why: why(result) })),
  };
}
