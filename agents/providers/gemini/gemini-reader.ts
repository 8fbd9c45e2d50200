import { z } from 'zod';
import type { Usage } from '../../../schemas/round/usage.ts';
import { activity } from '../../output/activity.ts';
import { exitText, failed } from '../../faults/faults.ts';
import { readFinalMessage, submittedIn } from '../../output/final-message.ts';
import { jsonLine } from '../../output/json-line.ts';
import type { AgentEnd, AgentReading, LaunchContext, OutputReader } from '../../provider.ts';
import { TextTail } from '../../output/bounded-text.ts';
import { geminiFault } from './gemini-fault.ts';
import { GeminiSession } from './gemini-session.ts';

/** Room for the largest report, every character escaped, and the words before it. */
const MAX_MESSAGE_CHARS = 262_144;
/** Gemini CLI's own code for a login that is missing or does not fit. */
const EXIT_AUTHENTICATION = 41;

const Result = z.object({
  type: z.literal('result'),
  status: z.string(),
  error: z.object({ message: z.string() }).optional(),
  /** `input_tokens` includes the cached ones. */
  stats: z
    .object({
      input_tokens: z.int().nonnegative(),
      output_tokens: z.int().nonnegative(),
      cached: z.int().nonnegative(),
    })
    .optional(),
});
type Result = z.infer<typeof Result>;

const GeminiEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), model: z.string(), session_id: z.string().optional() }),
  z.object({ type: z.literal('message'), role: z.string(), content: z.string() }),
  z.object({ type: z.literal('tool_use'), tool_name: z.string(), parameters: z.unknown() }),
  /** Before a result that does not say why it is an error. */
  z.object({ type: z.literal('error'), severity: z.string(), message: z.string() }),
  Result,
]);

/** Reads Gemini CLI's `--output-format stream-json`. Its last message comes in pieces, after the last use of a tool. */
export function geminiReader({ output, home }: Pick<LaunchContext, 'output' | 'home'>): OutputReader {
  const session = new GeminiSession(home);
  let message = new TextTail(MAX_MESSAGE_CHARS);
  let result: Result | null = null;
  let model: string | null = null;
  let submitted: AgentReading | null = null;
  let lastError: string | null = null;

  const reading = (end: AgentEnd): AgentReading => {
    if (submitted !== null) return submitted;
    const final = readFinalMessage(message.text(), output);
    const said = result?.error?.message ?? lastError;
    if (result?.status === 'success' && (said === null || final.report.kind === 'candidate')) return final;
    if (result !== null) return { ...final, report: geminiFault(said ?? '', end.exit.code, new Date()) };
    const code = end.exit.code === EXIT_AUTHENTICATION ? 'bad-credentials' : 'agent-crashed';
    return { ...final, report: failed(code, exitText('Gemini CLI', end), null) };
  };

  return {
    line(text) {
      const event = jsonLine(GeminiEvent, text);
      switch (event?.type) {
        case undefined:
          return null;
        case 'init':
          model = event.model;
          session.of(event.session_id ?? '');
          return null;
        case 'message':
          if (event.role !== 'assistant') return null;
          message.add(event.content);
          return activity(event.content);
        case 'tool_use':
          message = new TextTail(MAX_MESSAGE_CHARS);
          return activity(event.tool_name, event.parameters);
        case 'error':
          if (event.severity === 'error') lastError = event.message;
          return activity(event.message);
        case 'result':
          result = event;
          if (event.status === 'success') submitted = submittedIn(message.text(), output) ?? submitted;
          return 'reporting';
        default:
          return event satisfies never;
      }
    },
    async use() {
      // The result states the same figures, side calls included; until then they stand in its session alone.
      const stated = result === null ? null : usageOf(result);
      return { usage: stated ?? (await session.usage()), costUsd: null, model };
    },
    reported() {
      return submitted !== null;
    },
    hasFailed: () => false,
    finish: async (end) => reading(end),
  };
}

function usageOf({ stats }: Result): Usage | null {
  if (stats === undefined) return null;
  return {
    inputTokens: Math.max(0, stats.input_tokens - stats.cached),
    outputTokens: stats.output_tokens,
    cacheWriteTokens: 0,
    cacheReadTokens: stats.cached,
  };
}
