import type { Usage } from '../../../schemas/round/usage.ts';
import { activity } from '../../output/activity.ts';
import { exitText, failed } from '../../faults/faults.ts';
import { bounded } from '../../output/final-message.ts';
import { jsonLine } from '../../output/json-line.ts';
import type { AgentEnd, AgentReading, LaunchContext, OutputReader } from '../../provider.ts';
import { fromEpoch } from '../../faults/reset-time.ts';
import { RunningUsage } from '../../usage/running-usage.ts';
import { ClaudeEvent, type ClaudeMessage, type ClaudeResult } from './claude-events.ts';
import { claudeFault, hopelessRetry } from './claude-fault.ts';

/**
 * Reads Claude Code's stream. Only a `result` with structured output is a report. A background task that ends later gets
 * a turn of its own, whose `result` holds none or an error: the report stands. Exit code and the word "success" say nothing.
 */
export function claudeReader({
  output,
  usesLogin,
}: Pick<LaunchContext, 'output'> & { usesLogin: boolean }): OutputReader {
  let result: ClaudeResult | null = null;
  let submitted: AgentReading['report'] | null = null;
  let apiError: string | null = null;
  let limitEnds: Date | null = null;
  let lastText: string | null = null;
  let model: string | null = null;
  /** Why it tries again in vain, as long as nothing else has come since. */
  let hopeless: AgentReading['report'] | null = null;
  const running = new RunningUsage();

  const message = (event: ClaudeMessage): string | null => {
    apiError = event.error ?? null;
    hopeless = null;
    if (event.error === undefined) note(event);
    let shown: string | null = null;
    for (const block of event.message.content) {
      if ('text' in block) {
        if (event.error === undefined && event.parent_tool_use_id == null) lastText = block.text;
        shown = activity(block.text);
      } else if ('name' in block) {
        shown = activity(block.name, block.input);
      }
    }
    return shown;
  };

  const note = ({
    message: { id, usage: stated, model: answering },
    parent_tool_use_id: parent,
  }: ClaudeMessage): void => {
    if (answering !== undefined && parent == null) model = answering;
    if (id === undefined || stated === undefined) return;
    running.add(id, {
      inputTokens: stated.input_tokens,
      outputTokens: stated.output_tokens,
      cacheWriteTokens: stated.cache_creation_input_tokens ?? 0,
      cacheReadTokens: stated.cache_read_input_tokens ?? 0,
    });
  };

  const reading = (end: AgentEnd): AgentReading['report'] => {
    if (submitted !== null) return submitted;
    if (result === null && hopeless !== null) return hopeless;
    if (result === null) return failed('agent-crashed', exitText('Claude Code', end), null);
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
          if (!event.is_error && event.structured_output !== undefined) {
            submitted = { kind: 'candidate', value: event.structured_output };
          }
          return null;
        case 'rate_limit_event': {
          const { status, resetsAt } = event.rate_limit_info;
          limitEnds = status === 'rejected' && resetsAt !== undefined ? fromEpoch(resetsAt) : null;
          return null;
        }
        case 'system':
          hopeless = hopelessRetry(event, { usesLogin, asked: output.name });
          return `waiting for the model: ${event.error_status ?? event.error ?? 'no answer'}`;
        default:
          return event satisfies never;
      }
    },
    use() {
      // The result knows better, side calls and the whole output included.
      const stated = result === null ? null : usage(result);
      return { usage: stated ?? running.total(), costUsd: result?.total_cost_usd ?? null, model };
    },
    reported() {
      return submitted !== null;
    },
    hasFailed: () => hopeless !== null,
    finish: async (end) => ({
      report: reading(end),
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
