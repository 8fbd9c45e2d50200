import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Environment } from '../environment.ts';
import { homePaths } from '../home-paths.ts';
import { waitNotes } from '../wait-notes.ts';
import { packageVersion } from '../package-root.ts';
import { isStopped } from '../../system/processes/process-identity.ts';
import { isSame } from '../locks/holder-identity.ts';
import {
  liveHolder,
  LOCK_IS_HELD,
  logTail,
  spawnHolder,
  startService,
  type Stopped,
  stopService,
} from '../locks/service.ts';
import { backgroundEnvironment, foregroundEnvironment } from './worker-environment.ts';
import { stopWatchdog } from './watchdog.ts';
import { IN_FOREGROUND, isInForeground, readWorkerRecord, type WorkerRecord } from './worker-record.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { unsettledAttempts } from './unsettled-attempts.ts';

export type WorkerState =
  | { readonly kind: 'down' }
  /** On its way up, or down. */
  | { readonly kind: 'not-ready'; readonly pid: number }
  /** By SIGSTOP: it holds the lock and does nothing. */
  | { readonly kind: 'stopped'; readonly pid: number }
  | ({ readonly kind: 'ready' } & WorkerRecord);

interface How {
  readonly ralphHome: string;
  readonly env: Environment;
  /** The worker's program; see `workerEntry`. */
  readonly entry: string;
}

/** Longer than a worker that is ending may take, grace periods apart, as a new one waits for it. */
const READY_MS = 90_000;
const POLL_MS = 20;
/** A worker that ends disposes of its agents first. Beside their grace periods it has this long. */
const STOP_MS = 60_000;

/**
 * Whoever starts a program copies the tables of its own memory first, and a worker starts several in each round. With few
 * arenas of malloc and small halves of V8's new space a start takes half of the time, and the worker a third less memory.
 */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
const SMALL_HEAP = ['--max-semi-space-size=4'];

/** The worker of this RALPH_HOME, as the files and the process table show it. */
export async function workerState(ralphHome: string): Promise<WorkerState> {
  const holder = await liveHolder(homePaths(ralphHome).worker);
  if (holder === null) return { kind: 'down' };
  if (isStopped(holder)) return { kind: 'stopped', pid: holder.pid };
  const record = await readWorkerRecord(ralphHome);
  return record !== null && isSame(record, holder)
    ? { kind: 'ready', ...record }
    : { kind: 'not-ready', pid: holder.pid };
}

/**
 * The worker, started in the background where none runs, ready for work. Any number of processes may call it at once:
 * one worker comes of it. `temporal`: what it must serve; one that serves an embedded server that has moved is started
 * anew, and so is one that was stopped: its rounds are lost, and it must not come back to them. One of another version
 * is replaced where that costs nobody anything, else `onNote` is told. Throws RalphError.
 */
export async function ensureWorker(
  how: How & { temporal: WorkerRecord['temporal']; onNote: (note: string) => void },
): Promise<WorkerRecord> {
  const { ralphHome, temporal, onNote } = how;
  const { log } = homePaths(ralphHome).worker;
  const began = Date.now();
  let waitMs = READY_MS;
  let child: ChildProcess | null = null;
  const note = waitNotes({ onNote, text: () => 'Waiting for the worker to be ready.' });
  for (;;) {
    const state = await workerState(ralphHome);
    switch (state.kind) {
      case 'ready':
        if (!serves(state, temporal)) await endMisplaced(ralphHome, state, temporal);
        else if (state.pid === child?.pid || (await isToStay(ralphHome, { worker: state, onNote }))) return state;
        else await stopWorker(ralphHome);
        break;
      case 'down':
        if (child === null || child.exitCode === LOCK_IS_HELD) child = await startInBackground(how);
        else if (hasEnded(child)) throw ralphError('worker-not-started', { log, words: await logTail(log) });
        break;
      case 'stopped':
        await stopWorker(ralphHome);
        break;
      case 'not-ready':
        break;
      default:
        state satisfies never;
    }
    if (Date.now() - began > waitMs) {
      const longest = READY_MS + (await workUnderWay(ralphHome)).graceMs;
      if (longest <= waitMs) {
        throw ralphError('worker-not-ready', { ms: waitMs, log, words: await logTail(log) });
      }
      waitMs = longest;
    }
    note();
    await delay(POLL_MS);
  }
}

/** Be the worker's parent until it ends: its output is ours, our signals are its. Its exit code, or 1. */
export async function runWorker({ ralphHome, env, entry }: How): Promise<number> {
  const paths = homePaths(ralphHome).worker;
  const worker = {
    paths,
    argv: [process.execPath, ...SMALL_HEAP, entry],
    env: { ...FEW_ARENAS, ...(await foregroundEnvironment({ ralphHome, env })) },
    cwd: ralphHome,
    fields: IN_FOREGROUND,
  };
  const child = await spawnHolder(worker, 'inherit');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, forward);
  try {
    const code = await ended;
    if (code !== LOCK_IS_HELD) return code === null ? 1 : code;
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
  const holder = await liveHolder(paths);
  throw ralphError('worker-running', { pid: holder === null ? 'not known yet' : String(holder.pid) });
}

/** End the worker: its agents are disposed of, and the rounds are attempted again by the next one. */
export async function stopWorker(ralphHome: string): Promise<Stopped> {
  await stopWatchdog(ralphHome);
  const { graceMs } = await workUnderWay(ralphHome);
  const stopped = await stopService({ paths: homePaths(ralphHome).worker, graceMs: STOP_MS + graceMs });
  // One that the worker was about to start when it was told to end.
  await stopWatchdog(ralphHome);
  return stopped;
}

async function startInBackground({ ralphHome, env, entry }: How): Promise<ChildProcess> {
  const child = await startService({
    paths: homePaths(ralphHome).worker,
    argv: [process.execPath, ...SMALL_HEAP, entry],
    env: { ...FEW_ARENAS, ...(await backgroundEnvironment({ ralphHome, env })) },
    cwd: ralphHome,
    fields: { started: 'in the background' },
  });
  child.unref();
  return child;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const serves = ({ temporal }: WorkerRecord, asked: WorkerRecord['temporal']): boolean =>
  temporal.source === asked.source && temporal.address === asked.address && temporal.namespace === asked.namespace;

/** A worker of an embedded server that came back on another port serves nobody; any other is somebody's. */
async function endMisplaced(ralphHome: string, worker: WorkerRecord, asked: WorkerRecord['temporal']): Promise<void> {
  if (worker.temporal.source === 'embedded' && asked.source === 'embedded') {
    await stopWorker(ralphHome);
    return;
  }
  throw ralphError('worker-elsewhere', { pid: worker.pid, has: nameOf(worker.temporal), asked: nameOf(asked) });
}

/** Whether a worker goes on, although it may be of another version. */
async function isToStay(
  ralphHome: string,
  { worker, onNote }: { worker: WorkerRecord; onNote: (note: string) => void },
): Promise<boolean> {
  const version = await packageVersion();
  if (worker.version === version) return true;
  const { runs } = await workUnderWay(ralphHome);
  const isTheirs = await isInForeground(ralphHome);
  const what = `The worker (pid ${worker.pid}) is of version ${worker.version} and this is version ${version}`;
  if (isTheirs) onNote(`${what}; it runs in a terminal: end it there, and start it again.`);
  else if (runs.length > 0) {
    onNote(
      `${what}; the next \`ralph up\` at which no round is under way replaces it (now: ${runs.join(', ')}). \`ralph down --force\`, then \`ralph up\` replaces it at once: those rounds are then attempted again.`,
    );
  } else onNote(`${what}: starting another one.`);
  return isTheirs || runs.length > 0;
}

const nameOf = ({ address, namespace }: WorkerRecord['temporal']): string => `${address} (namespace ${namespace})`;

/** What a live worker of this RALPH_HOME is at. */
interface WorkUnderWay {
  /** Ids of the runs with a round, or a setup, under way. */
  readonly runs: readonly string[];
  /** The longest grace period that one of their agents has, in milliseconds. */
  readonly graceMs: number;
}

export async function workUnderWay(ralphHome: string): Promise<WorkUnderWay> {
  const runs = new Set<string>();
  for await (const { runId, isUnderWay } of unsettledAttempts(ralphHome)) if (isUnderWay) runs.add(runId);
  let graceMs = 0;
  for (const runId of runs) {
    const request = await readRequest(runPaths(ralphHome, runId));
    if (request !== null) graceMs = Math.max(graceMs, request.limits.graceMs);
  }
  return { runs: [...runs], graceMs };
}
