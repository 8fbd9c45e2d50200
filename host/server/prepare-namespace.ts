import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

/** Closed runs stay this long: history is read a year later. The server's own default is a day. */
const RETENTION_DAYS = 400;

/** Set the embedded server's retention. False: it does not answer yet. */
export async function prepareNamespace(address: string): Promise<boolean> {
  let connection: Connection;
  try {
    connection = await Connection.connect({ address, connectTimeout: '5s' });
  } catch {
    // Whatever it is, the caller looks whether the server lives and asks again within its bound.
    return false;
  }
  try {
    await connection.withDeadline(Date.now() + 5000, () =>
      connection.workflowService.updateNamespace({
        namespace: 'default',
        config: { workflowExecutionRetentionTtl: msToTs(RETENTION_DAYS * 24 * 3600 * 1000) },
      }),
    );
    return true;
  } catch {
    // The same.
    return false;
  } finally {
    await connection.close();
  }
}
