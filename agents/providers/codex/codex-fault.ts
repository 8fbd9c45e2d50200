import type { FaultCode } from '../../../schemas/round/fault.ts';
import { failed, limited, faultOfStatus } from '../../faults/faults.ts';
import type { AgentReading } from '../../provider.ts';

/** The model's answer ended early, and says why. */
const INCOMPLETE = /^(?:stream disconnected before completion: )?Incomplete response returned, reason: /;

/**
 * Codex states a failed turn in words alone, but in words of its own: these are the beginnings of its sentences, never
 * anything that the model or the repository said.
 */
const SENTENCES: readonly (readonly [RegExp, FaultCode])[] = [
  [new RegExp(`${INCOMPLETE.source}content_filter`), 'refusal'],
  // The API's own, passed on as it came.
  [/^Invalid prompt: your prompt was flagged/, 'refusal'],
  [/^Quota exceeded\./, 'no-credit'],
  [/^You.ve hit your usage limit/, 'usage-limited'],
  [/^rate limit exceeded:/, 'rate-limited'],
  [/^Codex ran out of room in the model's context window/, 'context-too-long'],
  [/^We.re currently experiencing high demand/, 'model-overloaded'],
  [/^Selected model is at capacity/, 'model-overloaded'],
  [INCOMPLETE, 'agent-crashed'],
  [/^stream disconnected before completion/, 'network'],
  [/^(?:Connection failed|error sending request|request timed out)/, 'network'],
];
const STATUS = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/;

/** Why a turn of Codex failed. */
export function codexFault(message: string, now: Date): AgentReading['report'] {
  const code = faultCode(message);
  const text = `Codex failed: ${message}`;
  if (code === 'usage-limited' || code === 'rate-limited') return limited(code, text, { said: message, now });
  return failed(code, text, null);
}

function faultCode(message: string): FaultCode {
  const status = STATUS.exec(message)?.[1];
  if (status !== undefined) return faultOfStatus(Number(status));
  return SENTENCES.find(([beginning]) => beginning.test(message))?.[1] ?? 'agent-crashed';
}
