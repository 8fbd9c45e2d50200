import { setTimeout as sleep } from 'node:timers/promises';
import { serverState } from '../../host/server/embedded-server.ts';
import { ensureWorker, workerState } from '../../host/worker-process/worker-process.ts';
import { RalphError } from '../../schemas/errors/index.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { unrecoveredSteps } from '../../workspaces/records/steps.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { attemptsOnDisk, hasAttemptEnded } from './kept-outputs.ts';
import { connect, isOutage, type TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';
import { checkRows } from '../view/check-rows.ts';
import { questionOver } from '../view/question.ts';
import { diskFiles } from '../view/run-files.ts';
import { byOthers, recordOf, runRecords } from '../view/run-records.ts';
import type { RunView } from '../view/run-view.ts';
import type { CheckRow } from '../view/round-view.ts';
import { viewRun } from '../view/show-run.ts';
import { askOverLink } from '../connect/reach.ts';
import { describeRun, type TemporalRun } from '../view/temporal-run.ts';
import { workerEntry } from '../../host/package-root.ts';
import { readWorkerRecord } from '../../host/worker-process/worker-record.ts';

/**
 * `replaced`: alive, but younger than the attempt under way, which died with the worker before it: Temporal attempts
 * the round again once it misses that one. `elsewhere`: on another machine.
 */
type WorkerOfRun = 'alive' | 'replaced' | 'dead' | 'elsewhere';

/** What a follower of a run is shown. */
export type RunEvent =
  /** Attempts that ended since the last event, in order; at first all that ended before, where they are asked for. */
  | { readonly kind: 'attempts'; readonly ended: readonly LedgerLine[] }
  /** Runs of the gates and reviews that ended since the last event, in order. */
  | { readonly kind: 'checks'; readonly ended: readonly CheckRow[] }
  /** Where it stands, several times a second. */
  | { readonly kind: 'state'; readonly run: TemporalRun; readonly worker: WorkerOfRun }
  /** Its worker had died and was started again. */
  | { readonly kind: 'revived' }
  /** Temporal does not answer for now. */
  | { readonly kind: 'offline' }
  | { readonly kind: 'ended'; readonly run: RunView };

const POLL_MS = 250;
/** A terminated run tells nobody: its worker notices with its next heartbeat, and disposes of the round then. */
const DISPOSAL_MS = 30_000;
const ANSWER_MS = 5_000;

/**
 * Follow a run to its end. The run must exist. A server that goes away is waited for, for as long as it takes, also
 * where it comes back on another port, and a worker that died is started again; ends early only when `signal` is
 * aborted. `past`: tell of attempts that ended before, too. `link` stays open.
 */
export async function* watchRun(how: {
  link: TemporalLink;
  deployment: Deployment;
  runId: string;
  past: boolean;
  signal: AbortSignal;
}): AsyncGenerator<RunEvent> {
  const { deployment, runId, past, signal } = how;
  const { ralphHome } = deployment;
  let { link } = how;
  let shown = past ? 0 : (await endedAttempts(ralphHome, runId)).length;
  const newChecks = checksSince(ralphHome, runId);
  if (!past) await newChecks();
  try {
    while (!signal.aborted) {
      const run = await describe(link, runId);
      // Read after Temporal was asked: once a run has ended, every attempt is in its ledger.
      const attempts = await endedAttempts(ralphHome, runId);
      yield* news(attempts.slice(shown), await newChecks());
      shown = Math.max(shown, attempts.length);
      if (run === 'offline') {
        yield { kind: 'offline' };
        const moved = await movedTo(deployment, link);
        if (moved !== null) {
          if (link !== how.link) await link.close();
          link = moved;
        }
      } else if (run !== null && run.status === 'open') {
        const worker = await workerOf(ralphHome, run, link);
        if (worker === 'dead' && (await reviveWorker(deployment, link))) yield { kind: 'revived' };
        else yield { kind: 'state', run, worker };
      } else if (run === null || run.status !== 'terminated' || (await isOver(deployment, run))) {
        yield { kind: 'ended', run: await viewRun(questionOver(askOverLink(deployment, link), deployment), runId) };
        return;
      }
      await pause(signal);
    }
  } finally {
    if (link !== how.link) await link.close();
  }
}

/** What ended since the last event, round by round: attempts, then what checked the claim of the last. */
function* news(attempts: readonly LedgerLine[], checks: readonly CheckRow[]): Generator<RunEvent> {
  const rounds = new Set([...attempts, ...checks].map(({ round }) => round));
  for (const round of [...rounds].toSorted((a, b) => a - b)) {
    const tried = attempts.filter((each) => each.round === round);
    const checked = checks.filter((each) => each.round === round);
    if (tried.length > 0) yield { kind: 'attempts', ended: tried };
    if (checked.length > 0) yield { kind: 'checks', ended: checked };
  }
}

async function endedAttempts(ralphHome: string, runId: string): Promise<readonly LedgerLine[]> {
  const paths = runPaths(ralphHome, runId);
  const attempts = (await readAttempts(paths)).filter(({ status }) => status === 'valid');
  if (attempts.length === 0) return [];
  return attempts.map(byOthers(await readRequest(paths).catch(() => null)));
}

/** Tells, whenever it is called, which checks of a run ended since the last time, in order. */
function checksSince(ralphHome: string, runId: string): () => Promise<CheckRow[]> {
  const shown = new Set<string>();
  let from = 0;
  return async () => {
    const records = runRecords(diskFiles(ralphHome, runId));
    const request = recordOf(await records.request());
    if (request === null) return [];
    const checks = await checkRows(records, request, { from, live: true });
    // The checks of a round are over before the next one begins: what is older needs no second look.
    from = Math.max(from, ((await records.rounds()).at(-1) ?? 0) - 1);
    const ended = checks.filter((check) => check.outcome.kind !== 'under-way' && !shown.has(keyOf(check)));
    for (const check of ended) shown.add(keyOf(check));
    return ended;
  };
}

const keyOf = ({ check, round, number }: CheckRow): string => `${check}/${round}/${number}`;

async function workerOf(
  ralphHome: string,
  { memo, progress, check }: TemporalRun,
  { hostId }: TemporalLink,
): Promise<WorkerOfRun> {
  if (memo === null || memo.hostId !== hostId) return 'elsewhere';
  const worker = await workerState(ralphHome);
  if (worker.kind === 'down' || worker.kind === 'stopped') return 'dead';
  const startedAt = (progress ?? check)?.startedAt;
  const isOlder = worker.kind !== 'ready' || startedAt === undefined || worker.readyAt <= startedAt;
  return isOlder ? 'alive' : 'replaced';
}

/** Whether the round, or the check, that a termination caught was disposed of, or can no longer be waited for. */
async function isOver({ ralphHome }: Deployment, { runId, endedAt }: TemporalRun): Promise<boolean> {
  if (endedAt !== null && Date.now() - Date.parse(endedAt) > DISPOSAL_MS) return true;
  const paths = runPaths(ralphHome, runId);
  const unrecovered = unrecoveredSteps(paths);
  if (unrecovered.some(({ kind }) => kind === 'gate' || kind === 'review')) return false;
  const last = attemptsOnDisk(paths, null).at(-1);
  return last === undefined || (await hasAttemptEnded(paths, last));
}

async function describe(link: TemporalLink, runId: string): Promise<TemporalRun | null | 'offline'> {
  try {
    return await link.client.connection.withDeadline(Date.now() + ANSWER_MS, () => describeRun(link, runId));
  } catch (error) {
    if (isOutage(error)) return 'offline';
    throw error;
  }
}

/** A connection to the embedded server where it came back on another port. */
async function movedTo(deployment: Deployment, link: TemporalLink): Promise<TemporalLink | null> {
  if (deployment.settings.server.source === 'external') return null;
  const state = await serverState(deployment.ralphHome);
  if (state.kind !== 'ready' || state.address === link.address) return null;
  try {
    return await connect(deployment, { connection: { address: state.address }, pages: state.webAddress });
  } catch (error) {
    if (error instanceof RalphError && error.code === 'temporal-unreachable') return null;
    throw error;
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await sleep(POLL_MS, null, { signal });
  } catch {
    // Aborted: the loop sees it.
  }
}

/**
 * Start the embedded server's worker again where it died, or does nothing as it got SIGSTOP. One that was ended took its
 * record with it, and stays down. Whether one was started.
 */
async function reviveWorker({ ralphHome, env, settings }: Deployment, link: TemporalLink): Promise<boolean> {
  if (settings.server.source === 'external') return false;
  const { kind } = await workerState(ralphHome);
  if ((kind !== 'down' && kind !== 'stopped') || (await readWorkerRecord(ralphHome)) === null) return false;
  const temporal = { source: 'embedded', address: link.address, namespace: link.namespace } as const;
  // It was down, so there is none of another version to tell of.
  await ensureWorker({ ralphHome, env, entry: await workerEntry(), temporal, onNote: () => {} });
  return true;
}
