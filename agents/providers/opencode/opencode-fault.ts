import { z } from 'zod';
import type { FaultCode } from '../../../schemas/round/fault.ts';
import { failed, limited, faultOfStatus } from '../../faults/faults.ts';
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

/** What an error event of OpenCode stands for, by its name and HTTP status. */
export function opencodeFault({ name, data }: OpencodeError, now: Date): AgentReading['report'] {
  const code = faultCode(name, data);
  const header = data?.responseHeaders?.['retry-after'];
  const text = `OpenCode failed: ${name}: ${data?.message ?? 'no further word'}`;
  if (code !== 'rate-limited') return failed(code, text, null);
  const resetAt = header === undefined ? null : fromRetryAfter(header, now);
  if (resetAt !== null) return failed(code, text, resetAt);
  return limited(code, text, { said: `${data?.message ?? ''}\n${data?.responseBody ?? ''}`, now });
}

function faultCode(name: string, data: OpencodeError['data']): FaultCode {
  const named = BY_NAME[name];
  if (named !== undefined) return named;
  if (name !== 'APIError') return 'agent-crashed';
  // Without a status no answer came.
  if (data?.statusCode === undefined) return 'network';
  const stated = data.responseBody === undefined ? null : jsonLine(Body, data.responseBody);
  return stated?.error.code === 'insufficient_quota' ? 'no-credit' : faultOfStatus(data.statusCode);
}
