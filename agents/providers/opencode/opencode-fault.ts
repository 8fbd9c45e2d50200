import { z } from 'zod';
import type { FaultCode } from '../../../schemas/round/fault.ts';
import { answered, failed } from '../../faults/faults.ts';
import { jsonLine } from '../../output/json-line.ts';
import type { AgentReading } from '../../provider.ts';
import { fromRetryAfter } from '../../faults/reset-time.ts';
import type { OpencodeError } from './opencode-events.ts';

const BY_NAME: Readonly<Record<string, FaultCode>> = {
  ProviderAuthError: 'bad-credentials',
  ContextOverflowError: 'context-too-long',
  ContentFilterError: 'refusal',
  ProviderModelNotFoundError: 'agent-unavailable',
};

/** The code in the body of an answer of OpenAI's kind of API. */
const Body = z.object({ error: z.object({ code: z.string() }) });

/** What an error event of OpenCode stands for, by its name, its HTTP status and the server's own words. */
export function opencodeFault({ name, data }: OpencodeError, now: Date): AgentReading['report'] {
  const message = `OpenCode failed: ${name}: ${data?.message ?? 'no further word'}`;
  const status = data?.statusCode ?? null;
  const header = data?.responseHeaders?.['retry-after'];
  const code = faultCode(name, data);
  if (status === 429 && code === null && header !== undefined) {
    const resetAt = fromRetryAfter(header, now);
    if (resetAt !== null) return failed('rate-limited', message, resetAt);
  }
  const said = `${data?.message ?? ''}\n${data?.responseBody ?? ''}`;
  return answered({ status, said, message, known: code }, now);
}

/** Null: its status and words decide. */
function faultCode(name: string, data: OpencodeError['data']): FaultCode | null {
  const named = BY_NAME[name];
  if (named !== undefined) return named;
  if (name !== 'APIError') return null;
  // Without a status no answer came.
  if (data?.statusCode === undefined) return 'network';
  const stated = data.responseBody === undefined ? null : jsonLine(Body, data.responseBody);
  return stated?.error.code === 'insufficient_quota' ? 'no-credit' : null;
}
