import { checkWorkerHas, providerOf } from '../../agents/registry.ts';
import { versionText } from '../../agents/run/program-version.ts';
import { ensureServer } from '../../host/server/embedded-server.ts';
import { backgroundEnvironment } from '../../host/worker-process/worker-environment.ts';
import { packageVersion, workerEntry } from '../../host/package-root.ts';
import { ensureWorker, workerState } from '../../host/worker-process/worker-process.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { diskRoom, fullDiskText } from '../../system/disk-room.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { connect, type TemporalLink } from './connect.ts';
import { connectEmbedded, whileItLives } from './connect-embedded.ts';
import type { Deployment } from './deployment.ts';

type OnNote = (note: string) => void;

/**
 * Connect to Temporal with a worker alive: an embedded server and its worker are started where they do not run. With a
 * Temporal of the user's own, a worker is started only where `worker` is `always`: else a note says that none is alive.
 * `first` is done before a worker is started: what a new worker must know before it takes up lost rounds.
 * Throws RalphError.
 */
export async function ensureServices(
  deployment: Deployment,
  how: { worker: 'always' | 'where-embedded'; first: ((link: TemporalLink) => Promise<void>) | null; onNote: OnNote },
): Promise<TemporalLink> {
  const { ralphHome, env, settings } = deployment;
  const { server, namespace } = settings;
  const { onNote } = how;
  if (server.source === 'external') {
    const { connection } = server;
    const link = await connect(deployment, { connection, pages: null });
    await how.first?.(link);
    const temporal = { source: server.source, address: connection.address, namespace };
    if (how.worker === 'always') await ensureWorker({ ralphHome, env, entry: await workerEntry(), temporal, onNote });
    else await noteOnWorker(ralphHome, onNote);
    return link;
  }
  for (;;) {
    const link = await ensureEmbedded(deployment, how);
    if (link !== null) return link;
  }
}

/** Null: the server ended on the way. */
async function ensureEmbedded(
  deployment: Deployment,
  { first, onNote }: Pick<Parameters<typeof ensureServices>[1], 'first' | 'onNote'>,
): Promise<TemporalLink | null> {
  const { ralphHome, env, settings } = deployment;
  // Temporal's client tries for half a minute before it says a word.
  const room = await diskRoom(ralphHome);
  if (room.kind === 'full') onNote(ralphError('home-disk-full', { full: fullDiskText(room) }).message);
  const server = await ensureServer({ ralphHome, env, onNote });
  const temporal = { source: 'embedded', address: server.address, namespace: settings.namespace } as const;
  const startWorker = async () => ensureWorker({ ralphHome, env, entry: await workerEntry(), temporal, onNote });
  const asking = { server, onNote };
  const connecting = connectEmbedded(deployment, asking);
  if (first === null) {
    const [link] = await Promise.all([connecting, startWorker()]);
    return link;
  }
  const link = await connecting;
  if (link === null || (await whileItLives(deployment, asking, () => awaited(first(link)))) === null) return null;
  await startWorker();
  return link;
}

/** That it was done, for whom null means something else. */
async function awaited(telling: Promise<void>): Promise<true> {
  await telling;
  return true;
}

/** Tell of a worker that is left to the user and cannot be relied on. */
async function noteOnWorker(ralphHome: string, onNote: OnNote): Promise<void> {
  const state = await workerState(ralphHome);
  const version = await packageVersion();
  if (state.kind === 'down' || state.kind === 'stopped') {
    onNote('No worker of this RALPH_HOME is alive: runs wait until `ralph up` or `ralph worker` starts one.');
  } else if (state.kind === 'ready' && state.version !== version) {
    onNote(
      `The worker (pid ${state.pid}) has version ${state.version}, and this command has version ${version}. Restart it: ralph down, ralph up.`,
    );
  }
}

/**
 * Refuse an agent that the worker cannot start: the live one, or the one that would be started now. Throws RalphError
 * with what to put where.
 * @returns which version of its program the agent uses, for a person; null: it has none of its own
 */
export async function checkWorkerFor(agent: AgentSpec, { ralphHome, env }: Deployment): Promise<string | null> {
  const fresh = await backgroundEnvironment({ ralphHome, env });
  const worker = await workerState(ralphHome);
  if (worker.kind !== 'ready') {
    return versionText(providerOf(agent), await checkWorkerHas(agent, fresh, { alive: false }));
  }
  // Of what a live worker has the names are known: of keys that is all there is to check. PATH may be among them.
  const keys = Object.fromEntries(worker.environmentNames.map((name) => [name, 'set']));
  // One of an earlier version did not say where it looks.
  const PATH = worker.searchPath === '' ? fresh['PATH'] : worker.searchPath;
  const version = await checkWorkerHas(agent, { ...keys, PATH, HOME: fresh['HOME'] }, { alive: true });
  return versionText(providerOf(agent), version);
}
