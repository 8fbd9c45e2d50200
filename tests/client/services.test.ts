import { mkdir, writeFile } from 'node:fs/promises';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { fileURLToPath } from 'node:url';
import { connect, type TemporalLink } from '../../client/connect/connect.ts';
import { type Deployment, openDeployment } from '../../client/connect/deployment.ts';
import { listRuns } from '../../client/view/list-runs.ts';
import { stopServices } from '../../client/connect/services.ts';
import { ensureServer, type RunningServer, stopServer } from '../../host/server/embedded-server.ts';
import { ensureWorker, workerState } from '../../host/worker-process/worker-process.ts';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { cleanUp } from '../fixtures/host/clean-up.ts';
import { eventually } from '../fixtures/host/eventually.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const { PATH, HOME, TEMPORAL_CLI } = process.env;
let deployment: Deployment;
let server: RunningServer;
let link: TemporalLink;

beforeAll(async () => {
  deployment = await openDeployment({ PATH, HOME, TEMPORAL_CLI, RALPH_HOME: await temporaryHome() });
  server = await ensureServer({ ...deployment, onNote: () => {} });
  link = await connect(deployment, { connection: { address: server.address }, pages: null });
  cleanUp(() => link.close());
});

async function executions(): Promise<number> {
  let count = 0;
  for await (const _ of link.client.workflow.list()) count += 1;
  return count;
}

test('a run that was reset is listed as the execution that goes on, not as the one that was ended for it', async () => {
  // As this client starts one: whatever has no memo of ours is no run.
  const memo = RunMemo.parse({
    status: 'running',
    title: 'Again',
    repository: '/r',
    agent: 'command',
    hostId: link.hostId,
    round: 1,
    maxRounds: 2,
    commit: null,
    ref: null,
    until: null,
    why: null,
    receipt: null,
  });
  const start = { workflowId: 'again', taskQueue: link.workflowsQueue, args: [], memo: { [MEMO_KEY]: memo } };
  const first = await link.client.workflow.start('ralphLoop', start);
  await first.terminate('for a reset');
  await link.client.workflow.start('ralphLoop', start);
  // Temporal's list follows a moment later.
  await eventually(async () => (await executions()) === 2);
  await mkdir(runPaths(deployment.ralphHome, 'again').root, { recursive: true });
  const { runs } = await listRuns(deployment, null);
  expect(runs).toMatchObject([{ runId: 'again', phase: { kind: 'live' } }]);
});

test('down is refused while runs are live, and while the server is there and does not answer', async () => {
  await expect(stopServices(deployment, false)).rejects.toMatchObject({ code: 'runs-live' });
  process.kill(server.pid, 'SIGSTOP');
  try {
    await expect(stopServices(deployment, false)).rejects.toMatchObject({ code: 'runs-unknown' });
  } finally {
    process.kill(server.pid, 'SIGCONT');
  }
});

test('down is refused where it would stop a worker and the server is gone', async () => {
  const { ralphHome } = deployment;
  const entry = fileURLToPath(new URL('../fixtures/host/worker.mjs', import.meta.url));
  const temporal = { source: 'embedded', address: server.address, namespace: 'default' } as const;
  await writeFile(`${ralphHome}/env`, `ADDRESS=${server.address}`, { mode: 0o600 });
  await ensureWorker({ ...deployment, entry, temporal, onNote: () => {} });
  await stopServer(ralphHome);
  await expect(stopServices(deployment, false)).rejects.toMatchObject({
    code: 'runs-unknown',
    message: expect.stringMatching(/No Temporal server is running.*--force/),
  });
  expect(await workerState(ralphHome)).toMatchObject({ kind: 'ready' });
  expect(await stopServices(deployment, true)).toMatchObject({ worker: true, server: false });
  expect(await stopServices(deployment, false)).toMatchObject({ worker: false, server: false });
});
