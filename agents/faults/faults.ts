import type { FaultCode } from '../../schemas/round/fault.ts';
import { oneLine } from '../output/bounded-text.ts';
import type { AgentReading } from '../provider.ts';
import { readResetTime } from './reset-time.ts';
import { localZone } from './zone-clock.ts';

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

/** The fault that an HTTP status of a model's API stands for, where nothing more exact is known. */
export function faultOfStatus(status: number): FaultCode {
  if (status === 401 || status === 403) return 'bad-credentials';
  if (status === 402) return 'no-credit';
  if (status === 404) return 'agent-unavailable';
  if (status === 408) return 'network';
  if (status === 413) return 'context-too-long';
  if (status === 429) return 'rate-limited';
  if (status >= 500) return 'model-overloaded';
  return 'agent-crashed';
}
