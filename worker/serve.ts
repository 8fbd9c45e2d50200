import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NativeConnection } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { Environment } from '../host/environment.ts';
import { ensureTemporal } from '../host/server/ensure-temporal.ts';
import { hostId } from '../host/keys/host-id.ts';
import { keepServer } from '../host/server/keep-server.ts';
import { packageVersion } from '../host/package-root.ts';
import { payloadCodec } from '../host/keys/payload-codec.ts';
import { payloadKey } from '../host/keys/payload-key.ts';
import { taskQueues } from '../host/task-queues.ts';
import { announceWorker, retractWorker, type WorkerRecord } from '../host/worker-process/worker-record.ts';
import { resolveTemporalSettings, type TemporalConnection } from '../temporal.config.ts';
import { createWorkers, type Workers } from './create-workers.ts';
import type { WorkerLogger } from './logger.ts';
import { rejectOldRuns } from './reject-old-runs.ts';
import { releaseLost, untilHeard } from './release-lost.ts';

const CONNECT_RETRY_MS = 500;
/** The build puts it beside the worker's own bundle. */
const WORKFLOW_BUNDLE = fileURLToPath(new URL('workflow-bundle.js', import.meta.url));

/**
 * Work for one Temporal address, from the first connection until the signal, or until the embedded server came back at
 * another address. Every round under way is disposed of before it returns, and attempted again by whoever comes next.
 */
export async function serve({
  ralphHome,
  env,
  activities,
  sandboxes,
  logger,
  signal,
}: {
  ralphHome: string;
  env: Environment;
  activities: Activities;
  sandboxes: WorkerRecord['sandboxes'];
  logger: WorkerLogger;
  signal: AbortSignal;
}): Promise<void> {
  const settings = await resolveTemporalSettings({ ralphHome, env });
  const onNote = (note: string): void => logger.info(note);
  const target = await ensureTemporal({ settings, ralphHome, env, onNote });
  const connection = await connect(target, { logger, signal });
  if (connection === null) return;
  const over = new AbortController();
  try {
    const key = await payloadKey(ralphHome);
    const id = await hostId(ralphHome);
    const { namespace } = settings;
    const { workflows: workflowsQueue, oldWorkflows } = taskQueues({ key, hostId: id });
    await rejectOldRuns({ connection, namespace, oldWorkflows });
    const cancelled = await releaseLost({ connection, namespace, workflowsQueue, hostId: id, logger });
    const workers = await createWorkers({
      connection,
      namespace,
      workflowsQueue,
      workflowBundle: { codePath: WORKFLOW_BUNDLE },
      hostId: id,
      roundSlots: settings.roundSlots,
      stepSlots: settings.stepSlots,
      cachedWorkflows: settings.cachedWorkflows,
      activities,
      dataConverter: { payloadCodecs: [payloadCodec(key)] },
    });
    const { source } = settings.server;
    const running = runAll(workers, {
      signal: AbortSignal.any([signal, over.signal]),
      onStop: () => retractWorker(ralphHome),
      // A round that was lost must not be attempted again in the moment before its run hears that it is cancelled.
      beforeActivities: () => untilHeard(cancelled, { connection, namespace, logger }),
    });
    await announceWorker({
      ralphHome,
      hostId: id,
      version: await packageVersion(),
      // An empty value is as good as none.
      environmentNames: Object.keys(env).filter((name) => env[name] !== ''),
      sandboxes,
      searchPath: env['PATH'] ?? '',
      temporal: { source, address: target.address, namespace },
    });
    logger.info({ address: target.address, hostId: id }, 'ready');
    const until = AbortSignal.any([signal, over.signal]);
    const kept =
      source === 'embedded' ? keepServer({ ralphHome, env, address: target.address, signal: until, onNote }) : null;
    kept?.then(
      () => over.abort(),
      (error: unknown) => logger.error(error, 'cannot look after the embedded server'),
    );
    await running;
  } catch (error) {
    // The first worker may exist already, and then the connection cannot be closed: the process ends.
    logger.fatal(error, 'cannot work');
    throw error;
  } finally {
    over.abort();
    await connection.close();
  }
}

/** Run until the signal, or until one of them ends: then all of them are shut down, their agents first. */
async function runAll(
  [workflows, ...activities]: Workers,
  how: { signal: AbortSignal; onStop: () => Promise<void>; beforeActivities: () => Promise<void> },
): Promise<void> {
  const stop = (): void => {
    void how.onStop();
    for (const worker of [workflows, ...activities]) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  how.signal.addEventListener('abort', stop, { once: true });
  const first = workflows.run();
  // Its end is seen below; a failure must not be nobody's until then.
  await Promise.race([how.beforeActivities(), Promise.allSettled([first])]);
  const runs = [first, ...activities.map((worker) => worker.run())];
  if (how.signal.aborted) stop();
  void Promise.race(runs).then(stop, stop);
  const ends = await Promise.allSettled(runs);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** The SDK does not wait for a server that is on its way up. Null: the signal came first. */
async function connect(
  target: TemporalConnection,
  { logger, signal }: { logger: WorkerLogger; signal: AbortSignal },
): Promise<NativeConnection | null> {
  while (!signal.aborted) {
    try {
      return await NativeConnection.connect(target);
    } catch (error) {
      logger.warn(error, `cannot reach Temporal at ${target.address}; trying again`);
      await delay(CONNECT_RETRY_MS);
    }
  }
  return null;
}
