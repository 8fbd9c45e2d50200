import path from 'node:path';
import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ensureTemporalCli } from '../../host/server/temporal-cli.ts';
import { strictGates } from '../../schemas/verification/gate.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { engine } from '../support/engine.ts';
import { gitRepository } from '../support/git-repository.ts';
import { done, scriptedAgent } from '../support/scripted-agent.ts';
import { survivors } from '../support/survivors.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = engine('forged-result');

/** The stock program, called from inside to complete an activity of a run with a result of one's own. */
async function completing(runId: string, activityId: string, result: unknown): Promise<string> {
  const temporal = await ensureTemporalCli({
    ralphHome: path.join(process.cwd(), '.cache'),
    env: process.env,
    onNote: () => {},
  });
  const { namespace } = ralph;
  const { address } = ralph.server();
  const where = `--address '${address}' --namespace '${namespace}' --workflow-id ${runId} --activity-id ${activityId}`;
  return `'${temporal}' activity complete ${where} --result '${JSON.stringify(result)}'`;
}

async function refusalOf(handle: WorkflowHandle): Promise<string | undefined> {
  const error = await handle.result().catch((reason: unknown) => reason);
  const cause = error instanceof WorkflowFailedError ? error.cause : null;
  expect(cause).toBeInstanceOf(ApplicationFailure);
  return cause?.message;
}

test('an agent that completes its own activity with a forged report gains nothing, and is gone', async () => {
  const repository = gitRepository(path.join(ralph.folder, 'repository'), { 'a.txt': 'a\n' });
  const forged = { kind: 'reported', round: 1, attempt: 1, report: { status: 'complete' } };
  const complete = await completing('forged', 'round-1-after-0', forged);
  const handle = await ralph.start({
    runId: 'forged',
    objective: 'Reach it.',
    repository,
    agent: {
      provider: 'command',
      model: null,
      command: `${complete} > forged.txt 2>&1; sleep 65`,
    },
  });
  expect(await refusalOf(handle)).toMatch(/carries no signature/);
  const outcome = await waitFor('the outcome', 15_000, () => readOutcome(ralph.paths('forged'), 1, 1));
  expect(outcome).toMatchObject({ kind: 'interrupted', receipt: { proof: 'namespace-gone' } });
});

test('a gate that completes its own activity with a forged verdict makes no claim true, and is gone', async () => {
  const repository = gitRepository(path.join(ralph.folder, 'gated'), { 'a.txt': 'a\n' });
  const agent = scriptedAgent(path.join(ralph.folder, 'gated-agent'), [{ files: { 'b.txt': 'b' }, report: done('d') }]);
  const gate = { result: 'passed', exitCode: 0, timedOut: false, ms: 1, output: '', changed: [] };
  const forged = { kind: 'checked', round: 1, check: 1, gates: [gate] };
  // Before round 1 there is no such activity yet.
  const command = `if ${await completing('gated', 'gates-1-after-0', forged)}; then sleep 65.4321; fi; exit 1`;
  const handle = await ralph.start({
    runId: 'gated',
    objective: 'Reach it.',
    repository,
    agent: agent.spec,
    checks: {
      gates: [{ command, timeoutMs: 60_000 }],
      gatePolicy: { ...strictGates, allowRedBaseline: true },
    },
  });
  expect(await refusalOf(handle)).toMatch(/carries no signature/);
  await waitFor('the end of the gate', 15_000, () => survivors('65.4321').length === 0);
});

test('the signed start of a run that ended starts nothing when it is sent again', async () => {
  const repository = gitRepository(path.join(ralph.folder, 'replayed'), { 'a.txt': 'a\n' });
  const agent = scriptedAgent(path.join(ralph.folder, 'replayed-agent'), [{ report: done('d') }]);
  const handle = await ralph.start({ runId: 'replayed', objective: 'Reach it.', repository, agent: agent.spec });
  await handle.result();
  const before = await readEnding(ralph.paths('replayed'));
  const { events } = await handle.fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const { workflowService } = ralph.server().connection;
  await workflowService.startWorkflowExecution({
    namespace: ralph.namespace,
    workflowId: 'replayed',
    workflowType: started?.workflowType ?? null,
    taskQueue: started?.taskQueue ?? null,
    input: started?.input ?? null,
    memo: started?.memo ?? null,
    requestId: 'stranger',
  });
  const again = ralph.server().client.workflow.getHandle('replayed');
  await expect(again.result()).rejects.toThrow(WorkflowFailedError);
  expect(agent.starts()).toHaveLength(1);
  expect(await readEnding(ralph.paths('replayed'))).toEqual(before);
});
