import type { Usage } from '../../../schemas/round/usage.ts';
import { activity } from '../../output/activity.ts';
import { exitText, failed } from '../../faults/faults.ts';
import { readFinalMessage, submittedIn } from '../../output/final-message.ts';
import { jsonLine } from '../../output/json-line.ts';
import type { AgentEnd, AgentReading, LaunchContext, OutputReader } from '../../provider.ts';
import { OpencodeEvent, type OpencodeError, type OpencodeStep } from './opencode-events.ts';
import { opencodeFault } from './opencode-fault.ts';
import { OpencodeLog } from './opencode-log.ts';

/** Why a step ended, where the agent had said all it wanted to. */
const DONE = 'stop';

/** Reads OpenCode's events: tokens and cost come by step; the last text of the last step is its final message. */
export function opencodeReader({ output, home }: Pick<LaunchContext, 'output' | 'home'>): OutputReader {
  const log = new OpencodeLog(home);
  let lastText: string | null = null;
  let lastReason: string | null = null;
  let error: OpencodeError | null = null;
  let usage: Usage | null = null;
  let costUsd: number | null = null;
  let submitted: AgentReading | null = null;

  /** A last message that ends in a report stands, whatever a background task brings up after it. */
  const takeReport = (): void => {
    if (lastReason === DONE) submitted = submittedIn(lastText, output) ?? submitted;
  };

  const reading = async (end: AgentEnd): Promise<AgentReading> => {
    if (submitted !== null) return submitted;
    const final = readFinalMessage(lastText, output);
    if (error !== null) return { ...final, report: opencodeFault(error, new Date()) };
    // The engine ended it while it waited for its model by itself.
    const waited = end.ended ? await log.fault(new Date()) : null;
    if (waited !== null) return { ...final, report: waited };
    if (lastReason === DONE) return final;
    if (lastReason === null) return { ...final, report: failed('agent-crashed', exitText('OpenCode', end), null) };
    return { ...final, report: failed('report-missing', `OpenCode ended in mid-work (${lastReason})`, null) };
  };

  return {
    line(text) {
      const event = jsonLine(OpencodeEvent, text);
      if (event !== null) log.printed();
      switch (event?.type) {
        case undefined:
          return null;
        case 'step_start':
          // It went on: what failed before has passed, and what was said before is not the last word.
          error = null;
          lastText = null;
          lastReason = null;
          return null;
        case 'text':
          lastText = event.part.text;
          takeReport();
          return activity(event.part.text);
        case 'tool_use':
          return activity(event.part.tool, event.part.state.input);
        case 'step_finish':
          usage = plus(usage, event);
          costUsd = event.part.cost === undefined ? costUsd : (costUsd ?? 0) + event.part.cost;
          lastReason = event.part.reason;
          takeReport();
          return 'thinking';
        case 'error':
          error = event.error;
          return activity(event.error.data?.message ?? event.error.name);
        default:
          return event satisfies never;
      }
    },
    use() {
      return { usage, costUsd, model: null };
    },
    reported() {
      return submitted !== null;
    },
    hasFailed: (time) => log.waits(time),
    finish: reading,
  };
}

function plus(sum: Usage | null, { part: { tokens } }: OpencodeStep): Usage {
  const before = sum ?? { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };
  return {
    inputTokens: before.inputTokens + tokens.input,
    outputTokens: before.outputTokens + tokens.output + tokens.reasoning,
    cacheWriteTokens: before.cacheWriteTokens + tokens.cache.write,
    cacheReadTokens: before.cacheReadTokens + tokens.cache.read,
  };
}
