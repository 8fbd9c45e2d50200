import { z } from 'zod';
import type { FaultCode } from '../../schemas/round/fault.ts';
import { jsonLine } from '../output/json-line.ts';

/** The error of a model's server in the shapes that programs pass on as they came. */
const Body = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/** The sentence of a server's error: where a program passed on a whole JSON body, its message, else the text itself. */
export function serverSentence(text: string): string {
  const sentence = text.startsWith('{') ? jsonLine(Body, text) : null;
  return (sentence ?? text).trim();
}

/** "The model `x`", "the 'x' model", "models/x". */
const MODEL = String.raw`(?:the )?(?:requested )?(?:\S{1,120} )?(?:models?|deployment)\b[\s/:]*\S{0,120}`;

/**
 * Beginnings of sentences in which model servers say why they reject a request, whichever program sent it. They stand in
 * the server's own message and are matched from its beginning: what a message quotes further on says nothing.
 */
const SENTENCES: readonly (readonly [RegExp, FaultCode])[] = [
  [/^(?:output|input|response|request|prompt|content) (?:was |has been |is )?blocked\b/i, 'refusal'],
  [
    /^(?:the |your )?(?:model )?(?:response|output|prompt|request|content|input)\b[^.]{0,60}\b(?:blocked|filtered|flagged|rejected)\b[^.]{0,80}\b(?:safety|content|polic(?:y|ies)|prohibited|recitation)\b/i,
    'refusal',
  ],
  [/^invalid prompt: (?:your|the) (?:prompt|input) was flagged/i, 'refusal'],
  [/^(?:the )?(?:prompt|input|request) is too (?:long|large)\b/i, 'context-too-long'],
  [/^input length and `?max_tokens`? exceed/i, 'context-too-long'],
  [/^this (?:model|endpoint)(?:'|’)s maximum context length\b/i, 'context-too-long'],
  [
    /^(?:your |the )?(?:input|prompt|request|conversation|messages?)\b[^.]{0,80}\bexceeds?\b[^.]{0,60}\b(?:context|tokens?|maximum length)\b/i,
    'context-too-long',
  ],
  [/^(?:your )?(?:account )?(?:credit )?balance (?:is )?(?:too low|insufficient)/i, 'no-credit'],
  [/^your (?:credit|account) balance\b/i, 'no-credit'],
  [/^insufficient (?:credit|balance|funds|quota|account)/i, 'no-credit'],
  [
    /^(?:payment required|to use codex with your chatgpt plan, upgrade|this request requires more credits)/i,
    'no-credit',
  ],
  [
    /^(?:the )?(?:provided )?api[ _]key (?:is )?(?:not valid|not found|invalid|expired|disabled|revoked|has )/i,
    'bad-credentials',
  ],
  [
    /^(?:invalid|incorrect|missing|expired|no) (?:api[ _]key|x-api-key|authentication|access token|bearer token)/i,
    'bad-credentials',
  ],
  [/^(?:this|your) organization has been disabled/i, 'bad-credentials'],
  [
    /^(?:your |the )?(?:authentication|access|refresh|oauth) token\b[^.]{0,40}\b(?:expired|invalid|revoked|invalidated)/i,
    'bad-credentials',
  ],
  [
    new RegExp(
      `^${MODEL}[^.]{0,120}(?:does not exist|not found|not supported|not available|unsupported|deprecated|decommissioned|retired|no access|not have access)`,
      'i',
    ),
    'agent-unavailable',
  ],
  [/^models\/\S{1,120} is not (?:found|supported)/i, 'agent-unavailable'],
  [/^(?:unknown|invalid|unsupported|no such) model\b/i, 'agent-unavailable'],
  [/^(?:user |your )?(?:location|country|region)\b[^.]{0,60}\bnot supported/i, 'agent-unavailable'],
];

/** The fault that a server's sentence states; null: none that is known. */
export function faultOfSentence(sentence: string): FaultCode | null {
  return SENTENCES.find(([beginning]) => beginning.test(sentence))?.[1] ?? null;
}
