import { type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { raiseCeilings } from '../../schemas/budget/ceilings.ts';
import { CheckProgress, RoundProgress } from '../../schemas/round/round-progress.ts';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { safeParseRecord } from '../../schemas/text/parse-record.ts';
import type { TemporalLink } from '../connect/connect.ts';
import { pageOf } from './run-phase.ts';
import type { TemporalView } from './run-view.ts';
import { WORKFLOW_TYPE } from '../../schemas/loop/loop-input.ts';

/** What Temporal says of a workflow, as far as a run's phase depends on it. */
export type TemporalStatus = 'open' | 'completed' | 'failed' | 'cancelled' | 'terminated';

/** A run as Temporal knows it. */
export interface TemporalRun {
  readonly runId: string;
  readonly status: TemporalStatus;
  /** Null where it is missing, or was not written by a client or worker of ours. */
  readonly memo: RunMemo | null;
  /** The round under way, as its worker last said. */
  readonly progress: RoundProgress | null;
  /** The same for the check of a claim that is under way. */
  readonly check: CheckProgress | null;
  /** Whether Temporal was asked to cancel it and it has not ended yet. Only asked for a single run. */
  readonly cancelRequested: boolean;
  /** When this execution started: later than the run, once it was continued as new. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly view: Omit<Extract<TemporalView, { kind: 'known' }>, 'kind'>;
}

const PAGE_SIZE = 1_000;

/** Null where Temporal does not know the run, or has forgotten it. */
export async function describeRun(link: TemporalLink, runId: string): Promise<TemporalRun | null> {
  let info;
  try {
    info = await link.client.workflow.getHandle(runId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
  if (info.type !== WORKFLOW_TYPE) return null;
  const pending = { workflowId: runId, activities: info.raw.pendingActivities ?? [] };
  const run = temporalRun(link, info);
  const live = {
    progress: await pendingProgress(link, pending, { types: ['runRound'], read: roundProgress }),
    check: await pendingProgress(link, pending, { types: ['runGates', 'reviewClaim'], read: checkProgress }),
  };
  const cancelRequested = info.raw.workflowExtendedInfo?.cancelRequested === true;
  return { ...run, ...live, cancelRequested, memo: run.memo === null ? null : liveState(run.memo, live) };
}

/** The runs whose payloads this deployment can read, open and closed, the latest first. Without progress. */
export async function* temporalRuns(link: TemporalLink, query: { open: boolean }): AsyncGenerator<TemporalRun> {
  const { workflowsQueue, oldWorkflowsQueue } = link;
  const ours = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue IN ('${workflowsQueue}', '${oldWorkflowsQueue}')`;
  const wanted = query.open ? `${ours} AND ExecutionStatus = 'Running'` : ours;
  for await (const info of link.client.workflow.list({ query: wanted, pageSize: PAGE_SIZE })) {
    if (info.status.name !== 'CONTINUED_AS_NEW') yield temporalRun(link, info);
  }
}

type Execution = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'status' | 'memo' | 'startTime' | 'closeTime'>;

function temporalRun(link: TemporalLink, info: Execution): TemporalRun {
  const memo = safeParseRecord(RunMemo, info.memo?.[MEMO_KEY]);
  const { workflowId, runId: executionId } = info;
  const { pages, namespace } = link;
  const page = pages === null ? null : pageOf({ pages, namespace }, workflowId);
  return {
    runId: workflowId,
    status: statusOf(info),
    memo: memo.success ? memo.data : null,
    progress: null,
    check: null,
    cancelRequested: false,
    startedAt: info.startTime.toISOString(),
    endedAt: info.closeTime === undefined ? null : info.closeTime.toISOString(),
    view: { workflowId, executionId, namespace, status: info.status.name, page },
  };
}

function statusOf({ status: { name } }: Execution): TemporalStatus {
  switch (name) {
    case 'RUNNING':
    case 'PAUSED':
    case 'CONTINUED_AS_NEW':
      return 'open';
    case 'COMPLETED':
      return 'completed';
    case 'CANCELLED':
      return 'cancelled';
    case 'TERMINATED':
      return 'terminated';
    case 'FAILED':
    case 'TIMED_OUT':
      return 'failed';
    case 'UNSPECIFIED':
    case 'UNKNOWN':
      throw new Error(`Temporal gives a status that this client does not know (${name})`);
    default:
      return name satisfies never;
  }
}

type PendingActivities = NonNullable<
  Awaited<
    ReturnType<ReturnType<TemporalLink['client']['workflow']['getHandle']>['describe']>
  >['raw']['pendingActivities']
>;

function roundProgress(details: unknown): RoundProgress | null {
  const parsed = safeParseRecord(RoundProgress, details);
  return parsed.success ? parsed.data : null;
}

function checkProgress(details: unknown): CheckProgress | null {
  const parsed = safeParseRecord(CheckProgress, details);
  return parsed.success ? parsed.data : null;
}

/** The heartbeat of a run's activity under way of one of the types given. */
async function pendingProgress<T>(
  link: TemporalLink,
  { workflowId, activities }: { workflowId: string; activities: PendingActivities },
  asked: { types: readonly string[]; read: (details: unknown) => T | null },
): Promise<T | null> {
  for (const { activityId, activityType, heartbeatDetails } of activities) {
    if (typeof activityType?.name !== 'string' || !asked.types.includes(activityType.name)) continue;
    if (typeof activityId !== 'string') continue;
    const details = await link.read.activity({ workflowId, activityId }, heartbeatDetails?.payloads?.[0]);
    const progress = asked.read(details);
    if (progress !== null) return progress;
  }
  return null;
}

/**
 * Where a live run stands: its memo, which is written when the status changes or a person told the run something, with
 * what is newer in the heartbeat of the current step. Limits only rise, so that the higher one is the newer one.
 */
export function liveState(
  memo: RunMemo,
  { progress, check }: { progress: RoundProgress | null; check: CheckProgress | null },
): RunMemo {
  const counters = progress?.counters ?? check?.counters ?? null;
  if (counters === null) return memo;
  const { spent, commit, ref, ceilings } = counters;
  const round = progress === null ? memo.round : Math.max(memo.round, progress.round);
  return { ...memo, round, spent, commit, ref, ...raiseCeilings(memo, ceilings) };
}
