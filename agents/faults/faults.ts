import type { FaultCode } from '../../schemas/round/fault.ts';
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
