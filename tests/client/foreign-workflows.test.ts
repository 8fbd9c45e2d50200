import { Client, Connection } from '@temporalio/client';
import { openDeployment } from '../../client/connect/deployment.ts';
import { whenReached } from '../../client/connect/reach.ts';
import { listRuns, openRuns } from '../../client/view/list-runs.ts';
import { ensureServer } from '../../host/server/embedded-server.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { eventually } from '../fixtures/host/eventually.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

test('workflows that ralph did not start are not listed as runs, and hold up no `down`', async () => {
  const home = await temporaryHome();
  await recordRun({ home, runId: 'ours', rounds: 1, objective: 'o', summary: 's', transcript: '', ended: true });
  const deployment = await openDeployment({ ...process.env, RALPH_HOME: home });
  const { address } = await ensureServer({ ralphHome: home, env: process.env, onNote: () => {} });
  const { answer: taskQueue } = await whenReached(deployment, ({ workflowsQueue }) => Promise.resolve(workflowsQueue));
  if (taskQueue === null) throw new Error('the server is not reached');
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    for (const workflowId of ['foreign-1', 'foreign-2']) {
      await workflow.start('ralphLoop', { workflowId, taskQueue, args: [], memo: { ralph: 'unsigned' } });
    }
    await eventually(async () => (await workflow.count()).count === 2);
  } finally {
    await connection.close();
  }
  const { runs, notes } = await listRuns(deployment, null);
  expect(runs.map(({ runId }) => runId)).toEqual(['ours']);
  // An embedded server is not asked about runs that have ended.
  expect(notes).toEqual([]);
  expect((await whenReached(deployment, openRuns)).answer).toEqual([]);
});
