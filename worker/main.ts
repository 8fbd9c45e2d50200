import process from 'node:process';
import { createActivities, describeContainment, workerSecrets } from '../activities/index.ts';
import { payloadKey } from '../host/keys/payload-key.ts';
import { keepReserve } from '../host/reserve.ts';
import { resolveRalphHome } from '../host/ralph-home.ts';
import { reapLost } from '../host/worker-process/reap-lost.ts';
import { readEnvFile } from '../host/worker-process/worker-environment.ts';
import { keepWatchdog } from '../host/worker-process/watchdog.ts';
import { assertIsWorker } from '../host/worker-process/worker-record.ts';
import { Redactor } from '../redaction/redactor.ts';
import { installLogger } from './logger.ts';
import { serve } from './serve.ts';

/** The worker of a RALPH_HOME, until SIGTERM or SIGINT. Started by `host/worker-process/worker-process.ts`, which holds its lock. */
const redactor = new Redactor();
const logger = installLogger(redactor);
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    logger.info({ signal }, 'stopping');
    stopping.abort();
  });
}
try {
  const ralphHome = await resolveRalphHome(process.env);
  await assertIsWorker(ralphHome);
  redactor.learn(await workerSecrets({ env: process.env, envFile: await readEnvFile(ralphHome) }));
  redactor.learn([{ name: 'payload key', value: (await payloadKey(ralphHome)).toString('hex') }]);
  for (const left of await reapLost(ralphHome)) logger.warn(left, 'ended what an earlier worker left');
  const activities = createActivities({ ralphHome, workerEnv: process.env, redactor });
  const offers = await describeContainment();
  const sandboxes = offers.map(({ sandbox: { level, network }, cause }) => ({ level, network, cause }));
  const { signal } = stopping;
  const onNote = (note: string): void => logger.warn(note);
  const watched = keepWatchdog({ ralphHome, env: process.env, signal, onNote });
  const reserved = keepReserve(ralphHome, signal).catch((error: unknown) => logger.warn(error, 'no reserve is held'));
  while (!signal.aborted) await serve({ ralphHome, env: process.env, activities, sandboxes, logger, signal });
  await Promise.all([watched, reserved]);
  logger.info('stopped');
} catch (error) {
  logger.fatal(error, 'the worker ends');
  // Temporal's runtime would keep the process alive, and with it the lock that the next worker waits for.
  process.exit(1);
}
