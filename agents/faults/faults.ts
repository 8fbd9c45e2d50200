import type { FaultCode } from '../../schemas/round/fault.ts';
import { readResetTime } from './reset-time.ts';
import { localZone } from './zone-clock.ts';
import { oneLine } from '../output/one-line.ts';
import type { AgentReading } from '../provider.ts';

const MAX_FAULT_CHARS = 600;

/** The report of an attempt that gave none: a fault, told in one paragraph. `resetAt`: when a stated limit ends. */
export function failed(code: FaultCode, message: string, resetAt: Date | null): AgentReading['report'] {
  return {
    kind: 'fault',
    fault: { code, message: oneLine(message, MAX_FAULT_CHARS), resetAt: resetAt?.toISOString() ?? null },
  };
}

/**
 * The fault of a limit, until the time at which `said` states that it ends. `said` is a sentence of the program or of the
 * server behind it. A time that cannot be true is named and not used: the loop then backs off.
 */
export function limited(
  code: FaultCode,
  message: string,
  { said, now }: { said: string; now: Date },
): AgentReading['report'] {
  const reset = readResetTime(said, now, localZone());
  switch (reset.kind) {
    case 'stated':
      return failed(code, message, reset.at);
    case 'none':
      return failed(code, message, null);
    case 'implausible':
      return failed(code, `${oneLine(message, MAX_FAULT_CHARS / 2)} (not waited for: ${reset.why})`, null);
    default:
      return reset satisfies never;
  }
}

/** A rejected request (HTTP 4xx) whose text states when access returns is a limit, whatever its status. */
export function isDatedLimit(status: number | null, said: string, now: Date): boolean {
  if (status === null || status < 400 || status >= 500) return false;
  return readResetTime(said, now, localZone()).kind === 'stated';
}
