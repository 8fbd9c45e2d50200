import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment.ts';
import { hasCode, messageOf } from '../../system/error-code.ts';
import { homePaths } from '../home-paths.ts';
import { FOR_BASH, holdingCommand, liveHolder, startService, stopService } from '../locks/service.ts';
import { isInForeground } from './worker-record.ts';

const LOOK_MS = 5_000;
const START_MS = 10_000;
const POLL_MS = 20;
/** It ends at once, unless a worker is on its way: see `watchdog.sh`. */
const STOP_MS = 15_000;

/**
 * The worker's side of its watchdog: start it, and again whenever it dies, until `signal` is aborted; then end it, as
 * this worker is asked to end and is not to come back. A worker in somebody's terminal has none.
 */
export async function keepWatchdog(how: {
  ralphHome: string;
  /** The worker's own, whole. */
  env: Environment;
  signal: AbortSignal;
  onNote: (note: string) => void;
}): Promise<void> {
  const { ralphHome, signal, onNote } = how;
  if (await isInForeground(ralphHome)) {
    // Of a worker before this one, which died.
    await stopWatchdog(ralphHome);
    return;
  }
  while (!signal.aborted) {
    try {
      if ((await watchdogPid(ralphHome)) === null) await startWatchdog(how);
    } catch (error) {
      onNote(`cannot start the watchdog: ${messageOf(error)}`);
    }
    await pause(signal);
  }
  await stopWatchdog(ralphHome);
}

/** The pid of what starts the worker again where it dies; null: nothing does. */
export async function watchdogPid(ralphHome: string): Promise<number | null> {
  return (await liveHolder(homePaths(ralphHome).watchdog))?.pid ?? null;
}

export async function stopWatchdog(ralphHome: string): Promise<void> {
  await stopService({ paths: homePaths(ralphHome).watchdog, graceMs: STOP_MS });
}

async function startWatchdog({ ralphHome, env }: { ralphHome: string; env: Environment }): Promise<void> {
  const { watchdog: paths, worker } = homePaths(ralphHome);
  const fields = { started: 'again, by the watchdog' };
  const argvOfWorker = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const again = holdingCommand({ paths: worker, argv: argvOfWorker, env, fields });
  const script = fileURLToPath(new URL('watchdog.sh', import.meta.url));
  const argv = [`LC_ALL=${FOR_BASH.LC_ALL}`, 'bash', '-p', script, worker.lock, worker.holder, worker.log, ...again];
  const child = await startService({ paths, argv, env, cwd: ralphHome, fields: {} });
  child.unref();
  // Whoever ends it looks for it where it is written down.
  const deadline = Date.now() + START_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    if ((await watchdogPid(ralphHome)) === child.pid) return;
    await delay(POLL_MS);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await delay(LOOK_MS, undefined, { signal, ref: false });
  } catch (error) {
    if (!hasCode(error, 'ABORT_ERR')) throw error;
  }
}
