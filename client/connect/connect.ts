import { Client, Connection } from '@temporalio/client';
import { hostId as readHostId } from '../../host/keys/host-id.ts';
import { payloadCodec } from '../../host/keys/payload-codec.ts';
import { payloadKey } from '../../host/keys/payload-key.ts';
import { taskQueues } from '../../host/task-queues.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { TemporalConnection } from '../../temporal.config.ts';
import type { Deployment } from './deployment.ts';
import { payloadReader, type PayloadReader } from './payload-reader.ts';
import { messageOf } from '../../system/message-of.ts';

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
