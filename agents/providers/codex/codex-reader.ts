import { z } from 'zod';
import type { Usage } from '../../../schemas/round/usage.ts';
import { activity } from '../../output/activity.ts';
import { exitText, failed } from '../../faults/faults.ts';
import { readFinalMessage, submittedIn } from '../../output/final-message.ts';
import { jsonLine } from '../../output/json-line.ts';
import type { AgentReading, LaunchContext, OutputReader } from '../../provider.ts';
import { codexFault } from './codex-fault.ts';
import { CodexSession, CodexUsage } from './codex-session.ts';

const Item = z.union([
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({ type: z.literal('command_execution'), command: z.string() }),
  z.object({ type: z.string() }),
]);

const CodexEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('item.started'), item: Item }),
  z.object({ type: z.literal('item.completed'), item: Item }),
  z.object({
    type: z.literal('turn.completed'),
    usage: CodexUsage,
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  /** Also while it reconnects: not the end. */
  z.object({ type: z.literal('error'), message: z.string() }),
]);

/** How it says that it waits, and for what. */
const RECONNECTING = /^Reconnecting\.\.\. \d+\/\d+ \(([^]*)\)$/;

/** Reads `codex exec --json`. A turn that completed ends in a message; one that failed states why. */
export function codexReader({ output, home }: Pick<LaunchContext, 'output' | 'home'>): OutputReader {
  const session = new CodexSession(home);
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
        case 'thread.started':
          session.of(event.thread_id);
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
          usage = event.usage;
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
    async use() {
      // Its end states the same figures; until then they stand in its session alone.
      return { usage: usage ?? (await session.usage()), costUsd: null, model: null };
    },
    reported() {
      return submitted !== null;
    },
    hasFailed: () => false,
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
