import path from 'node:path';

/** Where this machine's files are in RALPH_HOME (those of runs: `workspaces/records/run-paths.ts`). */
export interface HomePaths {
  readonly config: string;
  /** Keys for agents, NAME=value lines. */
  readonly env: string;
  readonly hostId: string;
  readonly payloadKey: string;
  readonly tools: string;
  readonly database: string;
  /** Room that is kept for a cancel on a full disk. */
  readonly reserve: string;
  /** One lock for each chain of runs that was resumed or rolled back, and the raised totals of live runs. */
  readonly lines: string;
  readonly server: ServicePaths;
  readonly worker: ServicePaths;
  /** Starts the worker again where it was killed; its log is the worker's. */
  readonly watchdog: ServicePaths;
  /** The page that shows runs; its ready file holds the token, so it is for this user alone. */
  readonly page: ServicePaths;
  /** Sends a browser to the page, so that the token is in no argument of a command. */
  readonly pageOpener: string;
}

/** Files of a process of which there is one per RALPH_HOME. */
export interface ServicePaths {
  /** Held with flock(2) by the process itself, as long as it lives. */
  readonly lock: string;
  /** Who holds the lock; written by the holder before it runs its program. */
  readonly holder: string;
  /** Written when the process is ready for work. */
  readonly ready: string;
  readonly log: string;
}

export function homePaths(ralphHome: string): HomePaths {
  const service = (name: string): ServicePaths => ({
    lock: path.join(ralphHome, `${name}.lock`),
    holder: path.join(ralphHome, `${name}.holder.json`),
    ready: path.join(ralphHome, `${name}.json`),
    log: path.join(ralphHome, 'logs', `${name}.log`),
  });
  const worker = service('worker');
  return {
    config: path.join(ralphHome, 'config.json'),
    env: path.join(ralphHome, 'env'),
    hostId: path.join(ralphHome, 'host-id'),
    payloadKey: path.join(ralphHome, 'payload-key'),
    tools: path.join(ralphHome, 'tools'),
    database: path.join(ralphHome, 'temporal.db'),
    reserve: path.join(ralphHome, 'reserve'),
    lines: path.join(ralphHome, 'lines'),
    server: service('server'),
    worker,
    watchdog: { ...service('watchdog'), log: worker.log },
    page: service('page'),
    pageOpener: path.join(ralphHome, 'page.html'),
  };
}
