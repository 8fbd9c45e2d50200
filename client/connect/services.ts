import { type ServerState, serverState, stopServer } from '../../host/server/embedded-server.ts';
import { homePaths } from '../../host/home-paths.ts';
import { diskRoom, fullDiskText } from '../../system/disk-room.ts';
import { messageOf } from '../../system/error-code.ts';
import { addressOf, pageState, stopPage } from '../../host/page-process/page-process.ts';
import { reapLost, type Reaped } from '../../host/worker-process/reap-lost.ts';
import { watchdogPid } from '../../host/worker-process/watchdog.ts';
import { stopWorker, type WorkerState, workerState } from '../../host/worker-process/worker-process.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { providerOf } from '../../agents/registry.ts';
import { type AgentSpec, ProviderName } from '../../schemas/run/agent.ts';
import type { Deployment } from './deployment.ts';
import { isOutage } from './connect.ts';
import { openRuns } from '../view/list-runs.ts';
import { whenReached } from './reach.ts';

type Ready = Extract<WorkerState, { kind: 'ready' }>;
type WorkerView = Exclude<WorkerState, Ready> | Omit<Ready, 'environmentNames' | 'sandboxes' | 'searchPath'>;

/** What runs for a RALPH_HOME, and where. */
export interface ServicesView {
  readonly ralphHome: string;
  /** What the disk of RALPH_HOME lacks, in a sentence; null: there is room. */
  readonly diskFull: string | null;
  readonly temporal: {
    readonly source: 'embedded' | 'external';
    readonly namespace: string;
    /** Null where an embedded server is down. */
    readonly address: string | null;
    readonly reachable: boolean;
    /** Why it is not reachable. */
    readonly problem: string | null;
    readonly server: ServerState | null;
    readonly log: string | null;
  };
  readonly worker: WorkerView;
  readonly workerLog: string;
  /** What starts the worker again where it is killed; null: nothing does. */
  readonly watchdog: { readonly pid: number } | null;
  /** The page that shows runs; null: it is not up. `address` is without the token. */
  readonly page: { readonly pid: number; readonly address: string } | null;
  /** Names of the keys for agents that the worker has; null where none is ready. */
  readonly agentKeys: readonly string[] | null;
  /** Ids of the runs that have not ended; null where Temporal cannot be asked. */
  readonly liveRuns: readonly string[] | null;
}

export async function describeServices(deployment: Deployment): Promise<ServicesView> {
  const { ralphHome, settings } = deployment;
  const { server, namespace } = settings;
  const embedded = server.source === 'embedded' ? await serverState(ralphHome) : null;
  const { answer, offline } = await whenReached(deployment, openRuns);
  const files = homePaths(ralphHome);
  const worker = await workerState(ralphHome);
  const watchdog = await watchdogPid(ralphHome);
  const room = await diskRoom(ralphHome);
  const shown = await pageState(ralphHome);
  return {
    ralphHome,
    diskFull: room.kind === 'full' ? fullDiskText(room) : null,
    temporal: {
      source: server.source,
      namespace,
      address:
        server.source === 'external'
          ? server.connection.address
          : embedded === null || embedded.kind === 'down'
            ? null
            : embedded.address,
      reachable: offline === null,
      problem: offline === null ? null : offline.message,
      server: embedded,
      log: embedded === null ? null : files.server.log,
    },
    worker: withoutNames(worker),
    agentKeys: worker.kind === 'ready' ? agentKeysAmong(worker.environmentNames) : null,
    workerLog: files.worker.log,
    watchdog: watchdog === null ? null : { pid: watchdog },
    page: shown.kind === 'ready' ? { pid: shown.page.pid, address: addressOf(shown.page) } : null,
    liveRuns: answer,
  };
}

/** What `stopServices` found and ended, by name. */
export interface StoppedServices {
  readonly worker: boolean;
  readonly server: boolean;
  readonly page: boolean;
  /** What workers that died before had left, and this ended. */
  readonly reaped: readonly Reaped[];
}

/**
 * End the page, the worker, then the embedded server. Refused with RalphError while runs are live (`runs-live`), or may be
 * (`runs-unknown`), unless forced: they then go on when both are back.
 */
export async function stopServices(deployment: Deployment, force: boolean): Promise<StoppedServices> {
  const { ralphHome, settings } = deployment;
  if (!force) await rejectIfLive(deployment);
  const page = await stopPage(ralphHome);
  const worker = await stopWorker(ralphHome);
  const reaped = await reapLost(ralphHome);
  const server = settings.server.source === 'embedded' ? await stopServer(ralphHome) : null;
  return {
    worker: worker.kind === 'stopped',
    server: server !== null && server.kind === 'stopped',
    page: page.kind === 'stopped',
    reaped,
  };
}

async function rejectIfLive(deployment: Deployment): Promise<void> {
  const { ralphHome, settings } = deployment;
  const { answer: live, offline } = await openRunsIfAnswered(deployment);
  if (live !== null) {
    if (live.length > 0) throw ralphError('runs-live', { runs: live });
    return;
  }
  const kinds: string[] = [(await workerState(ralphHome)).kind];
  if (settings.server.source === 'embedded') kinds.push((await serverState(ralphHome)).kind);
  if (kinds.some((kind) => kind !== 'down')) throw ralphError('runs-unknown', { reason: offline });
}

async function openRunsIfAnswered(
  deployment: Deployment,
): Promise<{ answer: readonly string[]; offline: null } | { answer: null; offline: string }> {
  try {
    const { answer, offline } = await whenReached(deployment, openRuns);
    return offline === null ? { answer, offline } : { answer, offline: offline.message };
  } catch (error) {
    if (isOutage(error)) return { answer: null, offline: `${messageOf(error)}.` };
    throw error;
  }
}

/** What the worker's environment is made of besides keys is nobody's business. */
function withoutNames(worker: WorkerState): WorkerView {
  if (worker.kind !== 'ready') return worker;
  const { environmentNames: _names, sandboxes: _sandboxes, searchPath: _searchPath, ...shown } = worker;
  return shown;
}

/** Of these names of variables, the ones that are a key for some agent. */
function agentKeysAmong(names: readonly string[]): string[] {
  const specs = ProviderName.exclude(['command']).options.map((provider): AgentSpec => ({
    provider,
    command: null,
    model: null,
  }));
  const keys = new Set(specs.flatMap((spec) => providerOf(spec).environment.keys));
  return names.filter((name) => keys.has(name)).toSorted();
}
