import { z } from 'zod';
import type { Usage } from '../../../schemas/round/usage.ts';
import { activity } from '../../output/activity.ts';
import { exitText } from '../../faults/exit-text.ts';
import { failed } from '../../faults/faults.ts';
import { readFinalMessage, submittedIn } from '../../output/final-message.ts';
import { jsonLine } from '../../output/json-line.ts';
import type { AgentReading, LaunchContext, OutputReader } from '../../provider.ts';
import { codexFault } from './codex-fault.ts';

const Item = z.union([
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({ type: z.literal('command_execution'), command: z.string() }),
  z.object({ type: z.string() }),
]);

const CodexEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('item.started'), item: Item }),
  z.object({ type: z.literal('item.completed'), item: Item }),
  z.object({
    type: z.literal('turn.completed'),
    /** `input_tokens` includes the cached ones. */
    usage: z.object({
      input_tokens: z.int().nonnegative(),
      cached_input_tokens: z.int().nonnegative(),
      cache_write_input_tokens: z.int().nonnegative().default(0),
      output_tokens: z.int().nonnegative(),
    }),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  /** Also while it reconnects: not the end. */
  z.object({ type: z.literal('error'), message: z.string() }),
]);
type CodexEvent = z.infer<typeof CodexEvent>;

/** How it says that it waits, and for what. */
const RECONNECTING = /^Reconnecting\.\.\. \d+\/\d+ \(([^]*)\)$/;

/** Reads `codex exec --json`. A turn that completed ends in a message; one that failed states why. */
export function codexReader({ output }: Pick<LaunchContext, 'output'>): OutputReader {
  let lastMessage: string | null = null;
  let usage: Usage | null = null;
  let failure: string | null = null;
  let submitted: AgentReading | null = null;
  /** Why it tries again by itself, as long as nothing else has come since. */
  let waitsFor: string | null = null;

  return {
    line(text) {
      const event = jsonLine(CodexEvent, text);
      switch (event?.type) {
        case undefined:
          return null;
        case 'item.started':
        case 'item.completed':
          waitsFor = null;
          if ('text' in event.item) {
            lastMessage = event.item.text;
            return activity(event.item.text);
          }
          if ('command' in event.item) return activity(event.item.command);
          return null;
        case 'turn.completed':
          usage = usageOf(event);
          submitted = submittedIn(lastMessage, output) ?? submitted;
          return 'reporting';
        case 'turn.failed':
          failure = event.error.message;
          return null;
        case 'error':
          waitsFor = RECONNECTING.exec(event.message)?.[1] ?? null;
          return activity(event.message);
        default:
          return event satisfies never;
      }
    },
    use() {
      return { usage, costUsd: null, model: null };
    },
    reported() {
      return submitted !== null;
    },
    async finish(end) {
      if (submitted !== null) return submitted;
      const final = readFinalMessage(lastMessage, output);
      if (failure !== null) return { ...final, report: codexFault(failure, new Date()) };
      if (usage === null && waitsFor !== null && end.ended)
        return { ...final, report: codexFault(waitsFor, new Date()) };
      if (usage === null) return { ...final, report: failed('agent-crashed', exitText('Codex', end), null) };
      return final;
    },
  };
}

function usageOf({ usage }: Extract<CodexEvent, { type: 'turn.completed' }>): Usage {
  const { input_tokens: input, cached_input_tokens: cacheRead, cache_write_input_tokens: cacheWrite } = usage;
  return {
    inputTokens: Math.max(0, input - cacheRead - cacheWrite),
    outputTokens: usage.output_tokens,
    cacheWriteTokens: cacheWrite,
    cacheReadTokens: cacheRead,
  };
}
