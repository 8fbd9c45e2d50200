import { z } from 'zod';
import { LoopInput } from '../../schemas/loop/loop-input.ts';
import { LoopState } from '../../schemas/loop/state.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { safeParseRecord } from '../../schemas/text/parse-record.ts';
import type { TemporalLink } from '../connect/connect.ts';
import { describeRun } from '../view/temporal-run.ts';

// What Temporal keeps of a run is signed with this deployment's key; a file on disk can be changed.

const PAGE_EVENTS = 50;
/** gRPC's code for what does not exist. */
const NOT_FOUND = 5;

/** The request that a run was started with. Null: Temporal does not know the run, or its version cannot be read any more. */
export async function startedWith(link: TemporalLink, runId: string): Promise<RunRequest | null> {
  if ((await describeRun(link, runId)) === null) return null;
  const { namespace, client, read } = link;
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId: runId },
    maximumPageSize: 1,
  });
  const [first] = history?.events ?? [];
  const input = first?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
  const parsed = safeParseRecord(LoopInput, await read.workflow(runId, input));
  return parsed.success ? parsed.data.request : null;
}

/** A state of a run's loop as an activity received it, or as the release of its workspace left it. */
export type SignedState =
  | { readonly kind: 'received' | 'released'; readonly state: LoopState }
  /** Temporal has forgotten what came before. */
  | { readonly kind: 'forgotten' };

const Holder = z.looseObject({ state: z.unknown() });

/** The states in a run's history, the latest first, through every execution that it was continued as. */
export async function* signedStates(link: TemporalLink, workflowId: string): AsyncGenerator<SignedState> {
  const stateIn = async (activityId: string, payload: Payload): Promise<LoopState | null> => {
    const holder = Holder.safeParse(await link.read.activity({ workflowId, activityId }, payload));
    const state = holder.success ? safeParseRecord(LoopState, holder.data.state) : null;
    return state !== null && state.success ? state.data : null;
  };
  const results = new Map<string, Payload>();
  for await (const event of eventsBackwards(link, workflowId)) {
    if (event === 'forgotten') {
      yield { kind: 'forgotten' };
      return;
    }
    const completed = event.activityTaskCompletedEventAttributes;
    if (completed) results.set(String(completed.scheduledEventId), completed.result?.payloads?.[0]);
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (!scheduled || typeof scheduled.activityId !== 'string') continue;
    if (scheduled.activityType?.name === 'releaseWorkspace') {
      const released = await stateIn(scheduled.activityId, results.get(String(event.eventId)));
      if (released !== null) yield { kind: 'released', state: released };
    }
    const received = await stateIn(scheduled.activityId, scheduled.input?.payloads?.[0]);
    if (received !== null) yield { kind: 'received', state: received };
    results.delete(String(event.eventId));
  }
}

type Service = TemporalLink['client']['workflowService'];
type Event = NonNullable<
  NonNullable<Awaited<ReturnType<Service['getWorkflowExecutionHistoryReverse']>>['history']>['events']
>[number];
type Payload = Parameters<TemporalLink['read']['activity']>[1];

async function* eventsBackwards(
  { client, namespace }: TemporalLink,
  workflowId: string,
): AsyncGenerator<Event | 'forgotten'> {
  let runId = '';
  for (let isMore = true; isMore;) {
    isMore = false;
    let nextPageToken: Uint8Array | undefined;
    do {
      const page = await unlessForgotten(
        client.workflowService.getWorkflowExecutionHistoryReverse({
          namespace,
          execution: { workflowId, runId },
          maximumPageSize: PAGE_EVENTS,
          ...(nextPageToken === undefined ? {} : { nextPageToken }),
        }),
      );
      if (page === null) {
        yield 'forgotten';
        return;
      }
      for (const event of page.history?.events ?? []) {
        yield event;
        const earlier = event.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
        if (typeof earlier === 'string' && earlier !== '') [runId, isMore] = [earlier, true];
      }
      nextPageToken = page.nextPageToken && page.nextPageToken.length > 0 ? page.nextPageToken : undefined;
    } while (nextPageToken !== undefined);
  }
}

/** Temporal forgets the executions of a run one by one, the earliest first. */
async function unlessForgotten<Value>(asking: Promise<Value>): Promise<Value | null> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_FOUND) return null;
    throw error;
  }
}
