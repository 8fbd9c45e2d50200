import { Client, Connection } from '@temporalio/client';
import { hostId as readHostId } from '../../host/keys/host-id.ts';
import { payloadCodec } from '../../host/keys/payload-codec.ts';
import { payloadKey } from '../../host/keys/payload-key.ts';
import { taskQueues } from '../../host/task-queues.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { TemporalConnection } from '../../temporal.config.ts';
import type { Deployment } from './deployment.ts';
import { messageOf } from '../../system/error-code.ts';
import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';

const CONNECT_TIMEOUT_MS = 3_000;

/** An open connection to the Temporal of a deployment. Whoever opened it closes it. */
export interface TemporalLink {
  readonly client: Client;
  readonly namespace: string;
  readonly address: string;
  /** Base of Temporal's own pages; null where the address of the pages is not known. */
  readonly pages: string | null;
  readonly hostId: string;
  readonly workflowsQueue: string;
  /** Where the runs of 0.1.0 are. */
  readonly oldWorkflowsQueue: string;
  readonly read: PayloadReader;
  close(): Promise<void>;
}

/** Connect to a Temporal that is up. Throws RalphError `temporal-unreachable`. */
export async function connect(
  { ralphHome, settings: { namespace } }: Deployment,
  server: { connection: TemporalConnection; pages: string | null },
): Promise<TemporalLink> {
  const { address } = server.connection;
  const [key, hostId] = await Promise.all([payloadKey(ralphHome), readHostId(ralphHome)]);
  const codec = payloadCodec(key);
  const { workflows: workflowsQueue, oldWorkflows: oldWorkflowsQueue } = taskQueues({ key, hostId });
  let connection: Connection;
  try {
    connection = await Connection.connect({ ...server.connection, connectTimeout: CONNECT_TIMEOUT_MS });
  } catch (error) {
    throw ralphError('temporal-unreachable', { address, reason: reasonOf(error) }, { cause: error });
  }
  return {
    client: new Client({ connection, namespace, dataConverter: { payloadCodecs: [codec] } }),
    namespace,
    address,
    pages: server.pages,
    hostId,
    workflowsQueue,
    oldWorkflowsQueue,
    read: payloadReader(codec, namespace),
    close: () => connection.close(),
  };
}

function reasonOf(error: unknown): string {
  const text = messageOf(error);
  return text === '' || text === 'Failed to connect before the deadline' ? 'no answer' : text.replace(/\.$/, '');
}

/** Reads values that stand in raw answers of the server, each as its owner's, signature and all. */
interface PayloadReader {
  workflow(workflowId: string, payload: Payload | null | undefined): Promise<unknown>;
  activity(owner: { workflowId: string; activityId: string }, payload: Payload | null | undefined): Promise<unknown>;
}

/** A value that is missing reads null; one whose signature does not fit reads as a RejectedPayload. */
function payloadReader(codec: PayloadCodec, namespace: string): PayloadReader {
  const read = async (payload: Payload | null | undefined, context: SerializationContext): Promise<unknown> => {
    if (payload === null || payload === undefined) return null;
    const [decoded] = await codec.decode([payload], context);
    return decoded === undefined ? null : defaultPayloadConverter.fromPayload(decoded);
  };
  return {
    workflow: (workflowId, payload) => read(payload, { type: 'workflow', namespace, workflowId }),
    activity: ({ workflowId, activityId }, payload) =>
      read(payload, { type: 'activity', namespace, workflowId, activityId, isLocal: false }),
  };
}

const AWAY = new Set([
  1, // CANCELLED: the connection was cut in the middle of an answer.
  2, // UNKNOWN: its database fails, as it does on a full disk.
  4, // DEADLINE_EXCEEDED
  8, // RESOURCE_EXHAUSTED
  13, // INTERNAL
  14, // UNAVAILABLE
]);

/** Whether an error of the client means that Temporal is away, starting or ailing, as gRPC's status says. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'number' && AWAY.has(error.code)) return true;
  return 'cause' in error && isOutage(error.cause);
}
