import type { Handoff } from '../../../schemas/round/report.ts';
import type { CheckLine } from '../../../client/view/run-view.ts';
import { type Known, whyOf } from '../../../cli/pages/why-text.ts';
import type { WayOn } from '../../../client/resume/way-on.ts';
import { nothingSpent } from '../../../schemas/budget/budget.ts';
import type { UnreleasedEnding } from '../../../schemas/run/result.ts';
import { runView } from './run-view.ts';

export const now = Date.UTC(2026, 0, 5, 9, 30);
export const spent = { ...nothingSpent, timeMs: 600_000, tokens: 12_000, costUsd: 1.5 };

export const goesOn: WayOn = { kind: 'resume', runId: 'r', command: 'ralph resume r', because: null };

/** What `ralph why` says of a run. */
export const why = (
  more: Parameters<typeof runView>[0],
  { worker = 'alive', way = goesOn, printed = true }: Partial<Pick<Known, 'worker' | 'way' | 'printed'>> = {},
) => whyOf({ run: runView({ spent, ...more }), worker, now, handoff: null, way, printed });
export const ended = (
  ending: UnreleasedEnding,
  more: Parameters<typeof runView>[0] = {},
  known: Parameters<typeof why>[1] = {},
) => why({ status: ending.status, ending, endedAt: '2026-01-05T09:20:00.000Z', ...more }, known);
export const commands = ({ next }: ReturnType<typeof why>): string[] => next.map(([command]) => command);

export const refused: CheckLine = {
  kind: 'gates',
  round: 2,
  claimOf: null,
  number: 1,
  result: 'refused',
  reasons: ['gate "npm test" ended with exit code 1'],
  gates: [{ command: 'npm test', result: 'failed', exitCode: 1, timedOut: false, ms: 5, changed: [], said: null }],
  startedAt: null,
  endedAt: null,
};
export const REFUSED = 'gates of round 2: refused the claim: gate "npm test" ended with exit code 1';

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
