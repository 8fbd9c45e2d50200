import type { Description } from '../../client/describe/describe-ending.ts';
import { describeRun, type Known } from '../../client/describe/describe-run.ts';
import type { ResumeAdvice } from '../../client/resume/resume-advice.ts';
import type { RunView, Spend } from '../../client/view/run-view.ts';
import type { Handoff } from '../../schemas/round/report.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import { recorded, runView } from './run-view.ts';

export const now = Date.UTC(2026, 0, 5, 9, 30);

export const known = (amount: number) => ({ kind: 'known', amount, estimated: false, unreported: 0 }) as const;
export const spend: Spend = {
  kind: 'known',
  rounds: 3,
  timeMs: known(600_000),
  tokens: known(12_000),
  costUsd: known(1.5),
  waitMs: 0,
  cacheReadTokens: 0,
};
export const USED = '10m of work, 12.0k tokens, cost $1.50';

export const resumable: ResumeAdvice = { kind: 'resume', runId: 'r', command: 'ralph resume r', because: null };

/** What `ralph why` prints of a run. */
export const description = (
  more: Partial<RunView>,
  { worker = 'alive', advice = resumable, printed = true, handoff = null }: Partial<Known> = {},
): Description => describeRun({ run: runView({ spend, ...more }), worker, now, handoff, advice, printed });

export const ended = (ending: UnreleasedEnding, more: Partial<RunView> = {}, given: Partial<Known> = {}): Description =>
  description({ phase: recorded(ending), ...more }, given);

export const commands = ({ next }: Description): string[] => next.map(({ command }) => command);

/** A handoff, and what an ending with it has beside. */
export const last: Handoff = {
  status: 'continue',
  summary: 'half of it',
  evidence: [],
  nextSteps: ['the rest'],
  blocker: '',
};
export const end = { rounds: 3, commit: 'c', ref: 'refs/heads/ralph/r' };
export const usedUp = {
  status: 'budget-limited',
  ...end,
  budget: 'rounds',
  reason: '4 of 4 rounds are used',
  handoff: last,
} as const;
export const stopped = { status: 'stopped', ...end, handoff: last } as const;
