import { safeParseRecord } from '../../schemas/text/parse-record.ts';
import { FinishedAttempt } from '../../schemas/round/round.ts';
import type { TemporalLink } from '../connect/connect.ts';

/**
 * The attempts that Temporal's history tells of, through every execution that the run was continued as, in order.
 * Attempts that were interrupted are not in it: only the files know those. Results that were not written by a worker
 * of ours are left out. Reads the whole history, megabytes for a long run: for runs whose files are gone.
 */
export async function attemptsInHistory(link: TemporalLink, runId: string): Promise<FinishedAttempt[]> {
  const executions: FinishedAttempt[][] = [];
  for (let executionId: string | undefined, more = true; more;) {
    const { attempts, continuedFrom } = await readExecution(link, runId, executionId);
    executions.unshift(attempts);
    executionId = continuedFrom;
    more = continuedFrom !== undefined;
  }
  return executions.flat();
}

/** @param executionId undefined: the latest */
async function readExecution(
  link: TemporalLink,
  workflowId: string,
  executionId: string | undefined,
): Promise<{ attempts: FinishedAttempt[]; continuedFrom: string | undefined }> {
  const handle = link.client.workflow.getHandle(workflowId, executionId);
  const { events } = await handle.fetchHistory();
  const rounds = new Map<string, string>();
  const attempts: FinishedAttempt[] = [];
  let continuedFrom: string | undefined;
  for (const event of events ?? []) {
    const started = event.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    if (typeof started === 'string' && started !== '') continuedFrom = started;
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityType?.name === 'runRound' && typeof scheduled.activityId === 'string') {
      rounds.set(String(event.eventId), scheduled.activityId);
    }
    const completed = event.activityTaskCompletedEventAttributes;
    const activityId = rounds.get(String(completed?.scheduledEventId));
    if (activityId === undefined) continue;
    const result = await link.read.activity({ workflowId, activityId }, completed?.result?.payloads?.[0]);
    const attempt = safeParseRecord(FinishedAttempt, result);
    if (attempt.success) attempts.push(attempt.data);
  }
  return { attempts, continuedFrom };
}
