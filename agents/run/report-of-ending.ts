import { durationText } from '../../schemas/text/duration.ts';
import type { FaultCode } from '../../schemas/round/fault.ts';
import type { Limits } from '../../schemas/run/run.ts';
import type { Ending } from './await-ending.ts';
import { failed } from '../faults/faults.ts';
import { outOfTime, type Overspent } from '../usage/counted-use.ts';
import type { AgentReading } from '../provider.ts';

/**
 * The result of an attempt: the report that its agent submitted, or why the engine had to end it. A submitted report
 * counts whatever limit ended the agent after it. Only a full disk voids it, as the transcript then lacks lines.
 */
export function reportOfEnding(
  ended: Exclude<Ending, 'broken'> | 'disk-full',
  report: AgentReading['report'],
  held: Pick<Limits, 'roundTimeoutMs' | 'idleTimeoutMs'> & { timeMs: number | null; spent: Overspent | null },
): AgentReading['report'] {
  const { roundTimeoutMs, idleTimeoutMs, timeMs, spent } = held;
  if (ended === 'disk-full') return failed(ended, 'the disk is full: what the agent printed could not be kept', null);
  if (report.kind === 'candidate') return report;
  switch (ended) {
    case 'round-timeout':
      return failed(
        ended,
        `the agent was still at work after ${durationText(roundTimeoutMs)}, the round's limit`,
        null,
      );
    case 'idle-timeout':
      // It was silent because of a fault that its program has already named: a wait for its model, a rejected key.
      if (!VAGUE.has(report.fault.code)) return report;
      return failed(ended, `the agent printed nothing and computed nothing for ${durationText(idleTimeoutMs)}`, null);
    case 'budget-spent':
      return { kind: 'fault', fault: { code: ended, resetAt: null, ...(spent === null ? outOfTime(timeMs) : spent) } };
    case 'exited':
    case 'failed':
    case 'hung-after-report':
    case 'aborted':
      return report;
    default:
      return ended satisfies never;
  }
}

/** Faults that only say that there is no report. The silence explains that better. */
const VAGUE: ReadonlySet<FaultCode> = new Set(['agent-crashed', 'report-missing', 'report-invalid']);
