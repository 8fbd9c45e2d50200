import { durationText } from '../../schemas/text/duration-text.ts';
import type { FaultCode } from '../../schemas/round/fault.ts';
import type { Limits } from '../../schemas/run/run.ts';
import type { Ending } from './await-ending.ts';
import { failed } from '../faults/faults.ts';
import { outOfTime, type Overspent } from '../usage/overspent.ts';
import type { AgentReading } from '../provider.ts';

/** What an attempt has to show: what its agent handed in, or why the engine had to end it. */
export function reportOfEnding(
  ended: Exclude<Ending, 'broken'> | 'disk-full',
  report: AgentReading['report'],
  held: Pick<Limits, 'roundTimeoutMs' | 'idleTimeoutMs'> & { timeMs: number | null; spent: Overspent | null },
): AgentReading['report'] {
  const { roundTimeoutMs, idleTimeoutMs, timeMs, spent } = held;
  switch (ended) {
    case 'round-timeout':
      return failed(
        ended,
        `the agent was still at work after ${durationText(roundTimeoutMs)}, the round's limit`,
        null,
      );
    case 'idle-timeout':
      // It did nothing as it waited for its model, and said so last.
      if (report.kind === 'fault' && OF_THE_MODEL.has(report.fault.code)) return report;
      return failed(ended, `the agent printed nothing and computed nothing for ${durationText(idleTimeoutMs)}`, null);
    case 'budget-spent':
      // What was handed in before counts.
      if (report.kind === 'candidate') return report;
      return { kind: 'fault', fault: { code: ended, resetAt: null, ...(spent === null ? outOfTime(timeMs) : spent) } };
    case 'disk-full':
      return failed(ended, 'the disk is full: what the agent printed could not be kept', null);
    case 'exited':
    case 'hung-after-report':
    case 'aborted':
      return report;
    default:
      return ended satisfies never;
  }
}

const OF_THE_MODEL: ReadonlySet<FaultCode> = new Set(['rate-limited', 'usage-limited', 'model-overloaded', 'network']);
