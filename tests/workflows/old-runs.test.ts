import { oldWorkflowsQueue } from '../../schemas/loop/task-queues.ts';
import { rejectOldRuns } from '../../worker/reject-old-runs.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = engine('old-runs');
const launch = launcher(ralph);
const rejection = async (keyId: string): Promise<string | null> => {
  const { nativeConnection: connection } = ralph.server();
  const asked = { connection, namespace: ralph.namespace, oldWorkflows: oldWorkflowsQueue(keyId) };
  return rejectOldRuns(asked).then(
    () => null,
    (error: unknown) => String(error),
  );
};

test('a worker does not start while runs of 0.1.0 are live, names them, and starts once they have ended', async () => {
  const { workflow } = ralph.server().client;
  const how = { taskQueue: oldWorkflowsQueue('old-key'), args: [] };
  const handles = await Promise.all(
    ['old-b', 'old-a'].map((workflowId) => workflow.start('ralphLoop', { ...how, workflowId })),
  );
  // What is listed is behind what was started, by a moment.
  const named =
    'RalphError: Runs of durable-ralph 0.1.0 are still live, and this version cannot continue them: old-a, old-b.';
  await waitFor('both runs', 20_000, async () => (await rejection('old-key'))?.startsWith(named) === true);
  expect(await rejection('other-key')).toBeNull();
  await Promise.all(handles.map((handle) => handle.terminate()));
  await waitFor('their end', 20_000, async () => (await rejection('old-key')) === null);
});

test('live runs of this version keep no worker from starting', async () => {
  const { handle, agent } = await launch([{ sleep: 30, report: done('1') }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  expect(await rejection(ralph.keyId)).toBeNull();
  agent.go();
  await handle.result();
});
