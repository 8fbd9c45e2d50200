import { z } from 'zod';
import { FaultCode } from '../../schemas/round/fault.ts';
import { parseUntrustedJson } from '../../system/untrusted-json.ts';
import type { AgentReading, InboxFile } from '../provider.ts';
import { failed } from './faults.ts';

/** More than any real one: it holds three fields. */
export const MAX_FAULT_FILE_BYTES = 65_536;
const MAX_TEXT_CHARS = 4_000;

/** What a command agent writes of why it gives no report, into the file that RALPH_FAULT_FILE names. */
const FaultFile = z.strictObject({
  /** Those that only the agent's program can know. */
  code: FaultCode.extract([
    'usage-limited',
    'rate-limited',
    'model-overloaded',
    'network',
    'bad-credentials',
    'no-credit',
    'agent-unavailable',
    'context-too-long',
    'refusal',
  ]),
  /** When a limit ends, ISO 8601 with a zone. */
  resetAt: z.iso.datetime({ offset: true }).nullable().default(null),
  text: z.string().max(MAX_TEXT_CHARS).default(''),
});

/** What a fault file says. `broken`: it is there and no fault file; `why` completes "the fault file …". */
type StatedFault =
  | { readonly kind: 'none' }
  | { readonly kind: 'stated'; readonly report: AgentReading['report'] }
  | { readonly kind: 'broken'; readonly why: string };

export function statedFault(file: InboxFile): StatedFault {
  switch (file.kind) {
    case 'missing':
      return { kind: 'none' };
    case 'rejected':
      return { kind: 'broken', why: file.why };
    case 'text':
      return parsed(file.text);
    default:
      return file satisfies never;
  }
}

function parsed(text: string): StatedFault {
  let value: unknown;
  try {
    value = parseUntrustedJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'broken', why: `does not hold JSON: ${error.message}` };
  }
  const fault = FaultFile.safeParse(value);
  if (!fault.success) return { kind: 'broken', why: `breaks its contract: ${z.prettifyError(fault.error)}` };
  const { code, resetAt, text: said } = fault.data;
  const message = said.trim() === '' ? `the command reported ${code}` : `the command reported: ${said}`;
  return { kind: 'stated', report: failed(code, message, resetAt === null ? null : new Date(resetAt)) };
}
