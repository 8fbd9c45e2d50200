import type { FaultCode } from '../../../schemas/round/fault.ts';
import { answered } from '../../faults/faults.ts';
import type { AgentReading } from '../../provider.ts';

/** The model's answer ended early, and says why. */
const INCOMPLETE = /^(?:stream disconnected before completion: )?Incomplete response returned, reason: /;

/**
 * Codex states a failed turn in words alone, but in words of its own: these are the beginnings of its sentences, never
 * anything that the model or the repository said.
 */
const SENTENCES: readonly (readonly [RegExp, FaultCode])[] = [
  [new RegExp(`${INCOMPLETE.source}content_filter`), 'refusal'],
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
/** Its reason phrase may be one that it does not know. */
const STATUS = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b(?: [^:]{0,60}: )?/;

/** Why a turn of Codex failed. A body that it passes on as it came is that of a request rejected with 400. */
export function codexFault(message: string, now: Date): AgentReading['report'] {
  const own = SENTENCES.find(([beginning]) => beginning.test(message))?.[1] ?? null;
  const found = STATUS.exec(message);
  const status = found === null ? (message.startsWith('{') ? 400 : null) : Number(found[1]);
  const said = found === null ? message : message.slice(found[0].length);
  return answered({ status, said, message: `Codex failed: ${message}`, known: own }, now);
}
