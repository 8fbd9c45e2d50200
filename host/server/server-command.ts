import type { ServerPorts } from './ports.ts';

/**
 * The database is the engine's own, whatever the user's umask is. One of a server that was killed before it was ever
 * ready has half a schema, with which none starts again; nothing of ours is in it.
 */
const PREPARE = `umask 077
if [ ! -e "$1" ] && [ -e "$2" ]; then
  rm -f "$2-wal" "$2-shm"
  mv "$2" "$2.never-ready"
fi
shift 2
exec "$@"`;

/**
 * A write-ahead log takes a quarter of the fsyncs of a rollback journal. `full`: what the server has answered outlives a
 * power cut. It is SQLite's default, stated here because runs depend on it.
 */
const PRAGMAS = ['--sqlite-pragma=journal_mode=wal', '--sqlite-pragma=synchronous=full'];

/** How the embedded server is started: on the loopback only, on a database file, with cancels pushed to workers. */
export function serverCommand({
  program,
  database,
  ready,
  ports,
}: {
  program: string;
  database: string;
  /** Exists once a server of this database was ready. */
  ready: string;
  ports: ServerPorts;
}): string[] {
  const dynamicConfig = {
    // A cancel reaches an activity at once instead of with the answer to its next heartbeat.
    'system.enableCancelActivityWorkerCommand': true,
    'frontend.WorkerCommandsEnabled': true,
  };
  return [
    '/bin/sh',
    '-c',
    PREPARE,
    'ralph-server',
    ready,
    database,
    program,
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${ports.port}`,
    `--ui-port=${ports.uiPort}`,
    `--db-filename=${database}`,
    ...PRAGMAS,
    '--log-level=warn',
    '--log-format=json',
    '--ui-disable-news-fetch',
    ...Object.entries(dynamicConfig).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
  ];
}
