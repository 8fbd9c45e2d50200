import type { Usage } from '../../schemas/usage.ts';
import { activity } from '../activity.ts';
import { exitText } from '../exit-text.ts';
import { failed } from '../faults.ts';
import { bounded } from '../final-message.ts';
import { jsonLine } from '../json-line.ts';
import type { AgentEnd, AgentReading, LaunchContext, OutputReader, Progress } from '../provider.ts';
import { fromEpoch } from '../reset-time.ts';
import { ClaudeEvent, type ClaudeMessage, type ClaudeResult } from './claude-events.ts';
import { claudeFault } from './claude-fault.ts';

/** Reads Claude Code's stream. What counts is its last `result`: exit code and the word "success" say nothing. */
export function claudeReader({ output }: Pick<LaunchContext, 'output'>): OutputReader {
  let result: ClaudeResult | null = null;
  let apiError: string | null = null;
  let limitEnds: Date | null = null;
  let lastText: string | null = null;

  const message = (event: ClaudeMessage): Progress | null => {
    apiError = event.error ?? null;
    let shown: Progress | null = null;
    for (const block of event.message.content) {
      if ('text' in block) {
        if (event.error === undefined && event.parent_tool_use_id == null) lastText = block.text;
        shown = { activity: activity(block.text), usage: null };
      } else if ('name' in block) {
        shown = { activity: activity(block.name, block.input), usage: null };
      }
    }
    return shown;
  };

  const reading = (end: AgentEnd): AgentReading['report'] => {
    if (result === null) return failed('agent-crashed', exitText('Claude Code', end), null);
    if (!result.is_error && result.structured_output !== undefined) {
      return { kind: 'candidate', value: result.structured_output };
    }
    return claudeFault({ result, apiError, limitEnds, now: new Date(), asked: output.name });
  };

  return {
    line(text) {
      const event = jsonLine(ClaudeEvent, text);
      switch (event?.type) {
        case undefined:
          return null;
        case 'assistant':
          return message(event);
        case 'result':
          result = event;
          return null;
        case 'rate_limit_event': {
          const { status, resetsAt } = event.rate_limit_info;
          limitEnds = status === 'rejected' && resetsAt !== undefined ? fromEpoch(resetsAt) : null;
          return null;
        }
        case 'system':
          return {
            activity: `waiting for the model: ${event.error_status ?? event.error ?? 'no answer'}`,
            usage: null,
          };
        default:
          return event satisfies never;
      }
    },
    reported() {
      return result !== null;
    },
    finish: async (end) => ({
      report: reading(end),
      usage: result === null ? null : usage(result),
      costUsd: result?.total_cost_usd ?? null,
      finalText: lastText === null ? null : bounded(lastText),
    }),
  };
}

function usage({ modelUsage }: ClaudeResult): Usage | null {
  if (modelUsage === undefined) return null;
  const sum = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };
  for (const model of Object.values(modelUsage)) {
    sum.inputTokens += model.inputTokens;
    sum.outputTokens += model.outputTokens;
    sum.cacheWriteTokens += model.cacheCreationInputTokens;
    sum.cacheReadTokens += model.cacheReadInputTokens;
  }
  return sum;
}
