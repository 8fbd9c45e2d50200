import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Environment } from '../environment.ts';
import { homePaths } from '../home-paths.ts';
import { waitNotes } from '../wait-notes.ts';
import { choosePorts, listensOn } from './ports.ts';
import { isAlive, isSame, HolderIdentity } from '../locks/holder-identity.ts';
import { readIfValid } from '../read-if-valid.ts';
import { writeTextAtomically } from '../../system/write-atomically.ts';
import { serverCommand } from './server-command.ts';
import {
  Holder,
  liveHolder,
  LOCK_IS_HELD,
  logTail,
  startService,
  type Stopped,
  stopService,
} from '../locks/service.ts';
import { ensureTemporalCli } from './temporal-cli.ts';

const Ports = z.object({ port: z.int(), uiPort: z.int() });
const ServerHolder = Holder.extend({ fields: Ports });
/** `server.json`: a server that was ready and prepared. */
const ServerReady = HolderIdentity.extend({ ...Ports.shape, readyAt: z.iso.datetime() });

export interface RunningServer {
  readonly pid: number;
  /** host:port of the frontend. */
  readonly address: string;
  /** Temporal's own web page. */
  readonly webAddress: string;
}

export type ServerState = { readonly kind: 'down' } | ({ readonly kind: 'starting' | 'ready' } & RunningServer);

const ATTEMPTS = 5;
/** Long, for a busy machine: while it lives it is on its way. */
const READY_MS = 180_000;
const POLL_MS = 20;

/** The embedded server of this RALPH_HOME, as the files and the process table show it: no connection is made. */
export async function serverState(ralphHome: string): Promise<ServerState> {
  const { server: paths } = homePaths(ralphHome);
  const holder = await liveServer(ralphHome);
  if (holder === null) return { kind: 'down' };
  const ready = await readIfValid(paths.ready, ServerReady);
  return { kind: ready !== null && isSame(ready, holder) ? 'ready' : 'starting', ...running(holder) };
}

/**
 * The embedded server, started where none runs, ready for work. Any number of processes may call it at once: one
 * server comes of it. A caller that is killed half-way leaves what the next one finishes. A port that is taken is
 * passed over; only a server that holds this RALPH_HOME's lock is ever used. Throws RalphError.
 */
export async function ensureServer(how: {
  ralphHome: string;
  env: Environment;
  onNote: (note: string) => void;
}): Promise<RunningServer> {
  let failures = 0;
  for (;;) {
    const state = await serverState(how.ralphHome);
    if (state.kind === 'ready') return state;
    if (state.kind === 'starting') {
      if (await finishStart(how, state)) continue;
    } else if (await start(how)) continue;
    failures += 1;
    if (failures === ATTEMPTS) {
      const { log } = homePaths(how.ralphHome).server;
      throw ralphError('server-not-started', { attempts: ATTEMPTS, log, words: await logTail(log) });
    }
  }
}

/** End the embedded server; runs stay in its database. */
export async function stopServer(ralphHome: string): Promise<Stopped> {
  return await stopService({ paths: homePaths(ralphHome).server, graceMs: 5000 });
}

async function liveServer(ralphHome: string): Promise<z.infer<typeof ServerHolder> | null> {
  const holder = ServerHolder.nullable().safeParse(await liveHolder(homePaths(ralphHome).server));
  return holder.success ? holder.data : null;
}

const running = ({ pid, fields }: z.infer<typeof ServerHolder>): RunningServer => ({
  pid,
  address: `127.0.0.1:${fields.port}`,
  webAddress: `http://127.0.0.1:${fields.uiPort}`,
});

/** Whether a server is on its way, ours or somebody else's. */
async function start({
  ralphHome,
  env,
  onNote,
}: {
  ralphHome: string;
  env: Environment;
  onNote: (note: string) => void;
}): Promise<boolean> {
  const { server: paths, database } = homePaths(ralphHome);
  const program = await ensureTemporalCli({ ralphHome, env, onNote });
  const before = (await readIfValid(paths.holder, ServerHolder))?.fields ?? null;
  const ports = await choosePorts({ ralphHome, before });
  onNote(`Starting the embedded Temporal server on 127.0.0.1:${ports.port}.`);
  const child = await startService({
    paths,
    argv: serverCommand({ program, database, ready: paths.ready, ports }),
    env: { PATH: env['PATH'], HOME: env['HOME'] },
    cwd: ralphHome,
    fields: { ...ports },
  });
  child.unref();
  while (child.exitCode === null && child.signalCode === null) {
    if ((await liveServer(ralphHome))?.pid === child.pid) return true;
    await delay(POLL_MS);
  }
  if (child.exitCode !== LOCK_IS_HELD) return false;
  // The other one has the lock but may not have said yet who it is.
  await delay(POLL_MS);
  return true;
}

/** Wait for a live server, prepare it and say that it is ready. False: it died meanwhile. */
async function finishStart(
  { ralphHome, onNote }: { ralphHome: string; onNote: (note: string) => void },
  { address, ...server }: RunningServer,
): Promise<boolean> {
  const note = waitNotes({ onNote, text: () => `Waiting for the Temporal server (pid ${server.pid}) to be ready.` });
  const { server: paths } = homePaths(ralphHome);
  const deadline = Date.now() + READY_MS;
  // Temporal's client takes a while to load: not for a question about a server that is down or ready.
  const { prepareNamespace } = await import('./prepare-namespace.ts');
  for (;;) {
    const holder = await liveServer(ralphHome);
    if (holder === null || running(holder).address !== address) return false;
    if ((await listensOn({ pid: holder.pid, port: holder.fields.port })) && (await prepareNamespace(address))) {
      // What answered was this server if it still lives: it had the port.
      if (!isAlive(holder)) return false;
      const { pid, startTime, bootId, fields } = holder;
      const ready = { pid, startTime, bootId, ...fields, readyAt: new Date().toISOString() };
      await writeTextAtomically(paths.ready, `${JSON.stringify(ready)}\n`);
      return true;
    }
    if (Date.now() > deadline) {
      const words = await logTail(paths.log);
      throw ralphError('server-not-ready', { ms: READY_MS, address, log: paths.log, words });
    }
    note();
    await delay(POLL_MS);
  }
}
