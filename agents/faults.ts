import type { Fault, FaultCode } from '../schemas/fault.ts';
import type { AgentReading } from './provider.ts';
import { oneLine } from './one-line.ts';

const MAX_FAULT_CHARS = 600;

/** A fault in one paragraph. `resetAt`: when a stated limit ends. */
export function fault(code: FaultCode, message: string, resetAt: Date | null): Fault {
  return { code, message: oneLine(message, MAX_FAULT_CHARS), resetAt: resetAt === null ? null : resetAt.toISOString() };
}

/** The report of an attempt that gave none: `fault` instead. */
export function failed(code: FaultCode, message: string, resetAt: Date | null): AgentReading['report'] {
  return { kind: 'fault', fault: fault(code, message, resetAt) };
}
