import { z } from 'zod';
import type { FaultCode } from '../../../schemas/round/fault.ts';
import { parseUntrustedJson } from '../../../system/untrusted-json.ts';
import { answered } from '../../faults/faults.ts';
import type { AgentReading } from '../../provider.ts';

/** The answer of Google's API, which Gemini CLI puts into its message as it came. */
const ApiError = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

/** Beginnings of sentences of Gemini CLI's own; `[API Error: ` is taken off. */
const SENTENCES: readonly (readonly [RegExp, FaultCode])[] = [
  [/^You have exhausted your daily quota/, 'usage-limited'],
  [/^(?:terminated|fetch failed|exception \w+Error: fetch failed)/, 'network'],
];

/** Why Gemini CLI's result is an error. Its exit code is the HTTP status modulo 256. */
export function geminiFault(message: string, exitCode: number | null, now: Date): AgentReading['report'] {
  const sentence = message.replace(/^\[API Error: /, '');
  const api = apiError(sentence);
  const own = SENTENCES.find(([beginning]) => beginning.test(sentence))?.[1] ?? null;
  const status = api?.code ?? statusOf(exitCode);
  const said = api?.message ?? sentence;
  return answered({ status, said, message: `Gemini CLI failed: ${message}`, known: own }, now);
}

function apiError(sentence: string): { code: number; message: string } | null {
  const json = /^\{[^]*\}(?=\]|$)/.exec(sentence)?.[0];
  if (json === undefined) return null;
  try {
    const parsed = ApiError.safeParse(parseUntrustedJson(json));
    return parsed.success ? parsed.data.error : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function statusOf(exitCode: number | null): number | null {
  return exitCode !== null && exitCode >= 400 - 256 && exitCode <= 255 ? exitCode + 256 : null;
}
