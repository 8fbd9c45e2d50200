import type { ServerPorts } from './ports.ts';

/** How the embedded server is started: on the loopback only, on a database file, with cancels pushed to workers. */
export function serverCommand({
  program,
  database,
  ports,
}: {
  program: string;
  database: string;
  ports: ServerPorts;
}): string[] {
  const dynamicConfig = {
    // A cancel reaches an activity at once instead of with the answer to its next heartbeat.
    'system.enableCancelActivityWorkerCommand': true,
    'frontend.WorkerCommandsEnabled': true,
  };
  return [
    // Its database is the engine's own, whatever the user's umask is.
    '/bin/sh',
    '-c',
    'umask 077; exec "$@"',
    'ralph-server',
    program,
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${ports.port}`,
    `--ui-port=${ports.uiPort}`,
    `--db-filename=${database}`,
    '--log-level=warn',
    '--log-format=json',
    '--ui-disable-news-fetch',
    ...Object.entries(dynamicConfig).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
  ];
}
