import { noBudgets, type Ceilings } from '../../schemas/budget/budget.ts';
import { beginning, type LoopState } from '../../schemas/loop/state.ts';
import type { Fault, FaultCode } from '../../schemas/round/fault.ts';
import type { CompletionClaim, Handoff, Report } from '../../schemas/round/report.ts';
import type { FailedAttempt, LostAttempt, ReportedAttempt } from '../../schemas/round/round.ts';
import type { Limits, RunRequest } from '../../schemas/run/run.ts';
import type { GateCheck, GateResult } from '../../schemas/verification/gate.ts';
import type { ReviewResult } from '../../schemas/verification/lost-checks.ts';
import type { Review } from '../../schemas/verification/review.ts';
import type { LoopEvent } from '../../workflows/decide/events.ts';
import { AT, plainReceipt } from './records.ts';
import { wholeRequest } from './plain-request.ts';

/** The events of a loop, made up: what each test is about is given, the rest is plain. */

const MINUTE_LATER = '2026-01-05T09:01:00.000Z';
const moment = { now: Date.parse(MINUTE_LATER), random: 1 };
export const noCeilings: Ceilings = { maxRounds: 10, budgets: noBudgets };

export const goOn = (summary: string): Handoff => ({
  status: 'continue',
  summary,
  evidence: [],
  nextSteps: ['go on'],
  blocker: '',
});
export const complete: CompletionClaim = {
  status: 'complete',
  summary: 'all done',
  evidence: ['seen'],
  nextSteps: [],
  blocker: '',
};
export const blocked: Report = { ...goOn('stuck'), status: 'blocked', blocker: 'no key' };

export const fault = (code: FaultCode, more: Partial<Fault> = {}): Fault => ({
  code,
  message: `m ${code}`,
  resetAt: null,
  ...more,
});

const used = {
  startedAt: AT,
  endedAt: MINUTE_LATER,
  agentMs: 50_000,
  usage: { inputTokens: 90, outputTokens: 10, cacheWriteTokens: 0, cacheReadTokens: 0 },
  costUsd: 0.5,
  costEstimated: false,
  sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
  receipt: plainReceipt(),
} as const;

const attempt = (round: number, { number = 1, changed = true }: { number?: number; changed?: boolean }) => ({
  ...used,
  sandbox: { ...used.sandbox, readable: [] },
  round,
  attempt: number,
  agent: null,
  agentVersion: null,
  checkpoint: {
    commit: `c${round}-${number}`,
    base: 'base',
    changes: { files: changed ? 1 : 0, insertions: 1, deletions: 0 },
    ref: `refs/${round}-${number}`,
    notes: [],
    secrets: [],
  },
});

type AttemptFacts = { number?: number; changed?: boolean; asked?: Ceilings };

export const reported = (
  round: number,
  report: Report,
  { asked = noCeilings, ...facts }: AttemptFacts & Partial<ReportedAttempt> = {},
): LoopEvent => ({
  kind: 'attempted',
  result: { ...attempt(round, facts), kind: 'reported', report, finalText: 'last words', ...withoutFacts(facts) },
  asked,
  ...moment,
});

export const failed = (
  round: number,
  code: FaultCode | Fault,
  { asked = noCeilings, ...facts }: AttemptFacts & Partial<FailedAttempt> = {},
): LoopEvent => ({
  kind: 'attempted',
  result: {
    ...attempt(round, { changed: false, ...facts }),
    kind: 'failed',
    fault: typeof code === 'string' ? fault(code) : code,
    ...withoutFacts(facts),
  },
  asked,
  ...moment,
});

function withoutFacts<T extends AttemptFacts>({ number: _number, changed: _changed, ...more }: T) {
  return more;
}

export const lost = (round: number, ...attempts: Partial<LostAttempt>[]): LoopEvent => ({
  kind: 'attempted',
  result: {
    kind: 'lost',
    round,
    attempts: attempts.map((each, index) => ({
      attempt: index + 1,
      by: 'worker-lost',
      agentMs: 10_000,
      usage: used.usage,
      costUsd: 0.25,
      costEstimated: false,
      commit: null,
      ref: null,
      changed: false,
      ...each,
    })),
  },
  asked: noCeilings,
  ...moment,
});

export const gatesRan = (
  round: number,
  gates: GateResult[],
  more: Partial<Extract<GateCheck, { kind: 'checked' }>> = {},
): LoopEvent => ({
  kind: 'gates-ran',
  result: {
    kind: 'checked',
    round,
    check: 1,
    commit: 'c',
    gates,
    protectedPaths: [],
    startedAt: AT,
    endedAt: MINUTE_LATER,
    ...more,
  },
  afterPause: false,
  ...moment,
});

export const gatesFailed = (round: number, code: FaultCode, check = 1): LoopEvent => ({
  kind: 'gates-ran',
  result: { kind: 'failed', round, check, fault: fault(code), startedAt: AT, endedAt: MINUTE_LATER },
  afterPause: false,
  ...moment,
});

export const gatesLost = (round: number, { check = 1, afterPause = false } = {}): LoopEvent => ({
  kind: 'gates-ran',
  result: { kind: 'lost', round, checks: [{ check, ms: 30_000 }] },
  afterPause,
  ...moment,
});

const review = (round: number, number: number) => ({
  ...used,
  sandbox: { ...used.sandbox, readable: [] },
  round,
  attempt: number,
  commit: 'c',
});

export const accept: Review = { decision: 'accept', reasons: [] };
export const reject: Review = { decision: 'reject', reasons: ['half of it is missing'] };
export const reviewed = (round: number, verdict: Review, number = 1): LoopEvent =>
  reviewEvent({ ...review(round, number), kind: 'reviewed', review: verdict });
export const reviewFailed = (round: number, code: FaultCode, number = 1): LoopEvent =>
  reviewEvent({ ...review(round, number), kind: 'failed', fault: fault(code) });
export const reviewLost = (round: number, { number = 1, afterPause = false } = {}): LoopEvent =>
  reviewEvent(
    {
      kind: 'lost',
      round,
      reviews: [{ attempt: number, agentMs: 10_000, usage: used.usage, costUsd: 0.25, costEstimated: false }],
    },
    afterPause,
  );

const reviewEvent = (result: ReviewResult, afterPause = false): LoopEvent => ({
  kind: 'reviewed',
  result,
  asked: noCeilings,
  afterPause,
  ...moment,
});

export const begun: LoopEvent = { kind: 'begun', ...moment };
export const interrupted: LoopEvent = { kind: 'interrupted', ...moment };
export const waited = (ms: number): LoopEvent => ({ kind: 'waited', ms, ...moment });
export const prepared: LoopEvent = {
  kind: 'prepared',
  result: { kind: 'ready', workspace: { base: 'base', ref: 'refs/base', notes: [] } },
  ...moment,
};
export const notPrepared = (code: FaultCode): LoopEvent => ({
  kind: 'prepared',
  result: { kind: 'failed', fault: fault(code) },
  ...moment,
});

/** A request with ten rounds that never stalls by itself, and where its loop stands once it is prepared. */
export function loopOf(more: Partial<Omit<RunRequest, 'limits'>> & { limits?: Partial<Limits> } = {}): {
  request: RunRequest;
  ready: LoopState;
} {
  const { limits, ...rest } = more;
  const request = wholeRequest(rest);
  const whole = { ...request, limits: { ...request.limits, maxRounds: 10, stallRounds: 0, ...limits } };
  return { request: whole, ready: { ...beginning(whole), prepared: true, commit: 'base', ref: 'refs/base' } };
}
