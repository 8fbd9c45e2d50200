import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { isStopped } from '../../system/processes/process-identity.ts';
import type { Environment } from '../environment.ts';
import { homePaths } from '../home-paths.ts';
import { isSame } from '../locks/holder-identity.ts';
import { LOCK_IS_HELD, liveHolder, logTail, startService, type Stopped, stopService } from '../locks/service.ts';
import { packageVersion } from '../package-root.ts';
import { isFree } from '../server/ports.ts';
import { pageEnvironment } from '../worker-process/worker-environment.ts';
import { type PageRecord, readPageRecord } from './page-record.ts';

export type PageState =
  | { readonly kind: 'down' }
  /** It is on its way up or down, or was stopped by a signal. */
  | { readonly kind: 'not-ready'; readonly pid: number; readonly stopped: boolean }
  | { readonly kind: 'ready'; readonly page: PageRecord };

const READY_MS = 30_000;
const POLL_MS = 20;
const STOP_MS = 3_000;

/** The page of this RALPH_HOME, as the files and the process table show it: no connection is made. */
export async function pageState(ralphHome: string): Promise<PageState> {
  const holder = await liveHolder(homePaths(ralphHome).page);
  if (holder === null) return { kind: 'down' };
  const page = await readPageRecord(ralphHome);
  if (page !== null && isSame(page, holder) && !isStopped(holder)) return { kind: 'ready', page };
  return { kind: 'not-ready', pid: holder.pid, stopped: isStopped(holder) };
}

/** Where the page is, without its token; null: it is not up. */
export async function pageAddress(ralphHome: string): Promise<string | null> {
  const state = await pageState(ralphHome);
  return state.kind === 'ready' ? addressOf(state.page) : null;
}

export const addressOf = ({ port }: Pick<PageRecord, 'port'>): string => `http://127.0.0.1:${port}`;

interface How {
  readonly ralphHome: string;
  readonly env: Environment;
  /** The page's program; see `pageEntry`. */
  readonly entry: string;
  /** Null: one that is free. */
  readonly port: number | null;
  readonly onNote: (note: string) => void;
}

/**
 * The page, started in the background where none runs, ready. Any number of processes may call it at once: one page
 * comes of it. One of another version, on another port than asked for, or stopped by a signal is replaced, which costs
 * no run anything. Throws RalphError.
 */
export async function ensurePage(how: How): Promise<PageRecord> {
  const { ralphHome, port, onNote } = how;
  const { log } = homePaths(ralphHome).page;
  const deadline = Date.now() + READY_MS;
  let child: ChildProcess | null = null;
  for (;;) {
    const state = await pageState(ralphHome);
    switch (state.kind) {
      case 'ready': {
        const wrong = await whatIsWrong(state.page, port);
        if (wrong === null) return state.page;
        onNote(`The page (pid ${state.page.pid}) ${wrong}: starting another one. Its address gets a new token.`);
        await stopPage(ralphHome);
        break;
      }
      case 'down':
        if (child === null || child.exitCode === LOCK_IS_HELD) child = await startInBackground(how);
        else if (child.exitCode !== null || child.signalCode !== null) {
          throw ralphError('page-not-started', { log, words: await logTail(log) });
        }
        break;
      case 'not-ready':
        if (state.stopped) await stopPage(ralphHome);
        break;
      default:
        state satisfies never;
    }
    if (Date.now() > deadline) throw ralphError('page-not-ready', { ms: READY_MS, log, words: await logTail(log) });
    await delay(POLL_MS);
  }
}

/** End the page. Runs do not notice. */
export async function stopPage(ralphHome: string): Promise<Stopped> {
  const { page, pageOpener } = homePaths(ralphHome);
  const stopped = await stopService({ paths: page, graceMs: STOP_MS });
  for (const file of [page.ready, pageOpener]) await rm(file, { force: true });
  return stopped;
}

async function whatIsWrong(page: PageRecord, port: number | null): Promise<string | null> {
  const version = await packageVersion();
  if (page.version !== version) return `is of version ${page.version} and this is version ${version}`;
  return port === null || port === page.port ? null : `is at port ${page.port}`;
}

async function startInBackground({ ralphHome, env, entry, port }: How): Promise<ChildProcess> {
  if (port !== null && !(await isFree(port))) throw ralphError('page-port-taken', { port });
  const child = await startService({
    paths: homePaths(ralphHome).page,
    argv: [process.execPath, entry],
    env: { ...pageEnvironment({ ralphHome, env }), ...(port === null ? {} : { [PORT_NAME]: String(port) }) },
    cwd: ralphHome,
    fields: {},
  });
  child.unref();
  return child;
}

const PORT_NAME = 'RALPH_PAGE_PORT';

/** The port that whoever started this page asked for; null: any. */
export function portAskedFor(env: Environment): number | null {
  const asked = z.coerce.number().int().positive().safeParse(env[PORT_NAME]);
  return asked.success ? asked.data : null;
}
