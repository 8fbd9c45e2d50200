import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { ensureServer, type RunningServer, serverState, stopServer } from '../../host/server/embedded-server.ts';
import { homePaths } from '../../host/home-paths.ts';
import { choosePorts } from '../../host/server/ports.ts';
import { liveHolder } from '../../host/locks/service.ts';
import { keepServer } from '../../host/server/keep-server.ts';
import { ensureTemporalCli } from '../../host/server/temporal-cli.ts';
import { cleanUp } from '../fixtures/host/clean-up.ts';
import { eventually } from '../fixtures/host/eventually.ts';
import { inProcess } from '../fixtures/host/in-process.ts';
import { serversOf } from '../fixtures/host/servers-of.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const run = promisify(execFile);
const brokenTemporal = fileURLToPath(new URL('../fixtures/host/broken-temporal.sh', import.meta.url));
const how = (ralphHome: string): Parameters<typeof ensureServer>[0] => ({
  ralphHome,
  env: process.env,
  onNote: () => {},
});
const portOf = (server: { address: string }): number => Number(server.address.split(':')[1]);

async function withClient<T>({ address }: RunningServer, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** Listen on a port of the loopback; returns how to give it back. */
async function occupy(port: number): Promise<() => Promise<void>> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/** Somebody else's Temporal, in memory; its pid. */
async function startStranger(port: number, home: string): Promise<number | undefined> {
  const program = await ensureTemporalCli(how(home));
  const stranger = spawn(program, ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
  });
  cleanUp(async () => {
    stranger.kill('SIGKILL');
    await once(stranger, 'exit');
  });
  await eventually(async () => {
    const connection = await Connection.connect({ address: `127.0.0.1:${port}`, connectTimeout: 500 }).catch(
      () => null,
    );
    await connection?.close();
    return connection !== null;
  });
  return stranger.pid;
}

async function killServer(home: string, { pid }: RunningServer): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await eventually(async () => (await serverState(home)).kind === 'down');
}

const statusOf = (workflowId: string, server: RunningServer): Promise<string> =>
  withClient(server, async (client) => (await client.workflow.getHandle(workflowId).describe()).status.name);

test('it is started once, found again, keeps history for more than a year, and ends when asked', async () => {
  const home = await temporaryHome();
  expect(await serverState(home)).toEqual({ kind: 'down' });
  const server = await ensureServer(how(home));
  expect(await ensureServer(how(home))).toEqual(server);
  await withClient(server, async ({ workflowService }) => {
    const { config } = await workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBeGreaterThan(366 * 24 * 3600);
  });
  expect((await fetch(server.webAddress)).status).toBe(200);
  expect(await stopServer(home)).toEqual({ kind: 'stopped', pid: server.pid, forced: false });
  expect(await serversOf(home)).toEqual([]);
  expect(await stopServer(home)).toEqual({ kind: 'not-running' });
});

test('three commands at the same moment start one server, and all of them get it', async () => {
  const home = await temporaryHome();
  const calls = Array.from({ length: 3 }, () =>
    inProcess('server/embedded-server', 'ensureServer', { ralphHome: home }),
  );
  const servers = await Promise.all(calls.map(({ returned }) => returned));
  expect(new Set(servers.map((server) => JSON.stringify(server))).size).toBe(1);
  expect(await serversOf(home)).toEqual([(await ensureServer(how(home))).pid]);
});

test('a command killed while it starts the server leaves what the next one finishes', async () => {
  const home = await temporaryHome();
  const { child } = inProcess('server/embedded-server', 'ensureServer', { ralphHome: home });
  await eventually(async () => (await serversOf(home)).length > 0);
  child.kill('SIGKILL');
  const server = await ensureServer(how(home));
  expect(await serversOf(home)).toEqual([server.pid]);
});

test('killed with -9 it is started again at the same address, with its runs', async () => {
  const home = await temporaryHome();
  const before = await ensureServer(how(home));
  const start = { workflowId: 'kept', taskQueue: 'nobody', args: [] };
  await withClient(before, (client) => client.workflow.start('x', start));
  await killServer(home, before);
  const after = await ensureServer(how(home));
  expect(after).toEqual({ ...before, pid: expect.any(Number) });
  expect(after.pid).not.toBe(before.pid);
  expect(await statusOf('kept', after)).toBe('RUNNING');
});

test('its database has a write-ahead log, which a kill leaves behind and the next server reads, torn end and all', async () => {
  const home = await temporaryHome();
  const { database } = homePaths(home);
  const ids = Array.from({ length: 12 }, (_, n) => `kept-${n}`);
  let server = await ensureServer(how(home));
  for (const workflowId of ids) {
    await withClient(server, (client) => client.workflow.start('x', { workflowId, taskQueue: 'nobody', args: [] }));
    if (workflowId !== 'kept-5') continue;
    await killServer(home, server);
    server = await ensureServer(how(home));
  }
  await killServer(home, server);
  // Bytes 18 and 19 of SQLite's file format: 2 is a write-ahead log, 1 a rollback journal.
  expect((await readFile(database)).subarray(18, 20)).toEqual(Buffer.from([2, 2]));
  expect(existsSync(`${database}-shm`)).toBe(true);
  expect((await stat(`${database}-wal`)).size).toBeGreaterThan(0);
  // Half a frame, as a power cut leaves it.
  await appendFile(`${database}-wal`, Buffer.alloc(2_000, 0xa5));
  server = await ensureServer(how(home));
  for (const workflowId of ids) expect(await statusOf(workflowId, server)).toBe('RUNNING');
});

test('a port that is taken is passed over, also one that it had before', async () => {
  const home = await temporaryHome();
  const { port } = await choosePorts({ ralphHome: home, before: null });
  const release = await occupy(port);
  const first = await ensureServer(how(home));
  expect(portOf(first)).not.toBe(port);
  await stopServer(home);
  await release();
  const releaseSecond = await occupy(portOf(first));
  const second = await ensureServer(how(home));
  await releaseSecond();
  expect(portOf(second)).not.toBe(portOf(first));
});

test("a stranger's Temporal on the recorded port is never adopted", async () => {
  const home = await temporaryHome();
  const own = await ensureServer(how(home));
  await stopServer(home);
  const stranger = await startStranger(portOf(own), home);
  const server = await ensureServer(how(home));
  expect(server.address).not.toBe(own.address);
  expect(server.pid).not.toBe(stranger);
});

test('it is kept alive while a worker watches, and comes back within seconds', async () => {
  const home = await temporaryHome();
  const server = await ensureServer(how(home));
  const watch = new AbortController();
  cleanUp(async () => watch.abort());
  const kept = keepServer({ ...how(home), address: server.address, signal: watch.signal });
  process.kill(server.pid, 'SIGKILL');
  await eventually(async () => {
    const state = await serverState(home);
    return state.kind === 'ready' && state.pid !== server.pid;
  });
  watch.abort();
  expect(await kept).toBe('aborted');
});

test('one that cannot start says why, and where its log is', async () => {
  const home = await temporaryHome();
  const env = { ...process.env, TEMPORAL_CLI: brokenTemporal };
  await expect(ensureServer({ ...how(home), env })).rejects.toMatchObject({
    code: 'server-not-started',
    exit: 4,
    message: expect.stringMatching(/in 5 attempts.*no space left on device.*logs\/server\.log/),
  });
});

test('what it writes is for its owner alone', async () => {
  const home = await temporaryHome();
  await ensureServer(how(home));
  const { stdout } = await run('find', [home, '-mindepth', '1', '-perm', '/077']);
  expect(stdout).toBe('');
  expect(await readFile(homePaths(home).server.ready, 'utf8')).toMatch(/"port":\d+/);
});

test('a server that was killed in its very first start does not keep the next one from starting', async () => {
  const home = await temporaryHome();
  const { database, server } = homePaths(home);
  const starting = ensureServer(how(home));
  await eventually(async () => existsSync(database));
  const holder = await liveHolder(server);
  if (holder === null) throw new Error('no server holds the lock');
  // Half a schema, whenever it was killed.
  process.kill(holder.pid, 'SIGSTOP');
  await writeFile(database, '');
  process.kill(holder.pid, 'SIGKILL');
  await starting;
  expect(await serverState(home)).toMatchObject({ kind: 'ready' });
  expect(existsSync(`${database}.never-ready`)).toBe(true);
});
