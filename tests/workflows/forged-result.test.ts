import path from 'node:path';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { ensureTemporalCli } from '../../host/temporal-cli.ts';
import { readEnding, readOutcome } from '../../workspaces/ledger.ts';
import { engine } from '../support/engine.ts';
import { gitRepository } from '../support/git-repository.ts';
import { done, scriptedAgent } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = engine('forged-result');

test('an agent that completes its own activity with a forged report gains nothing, and is gone', async () => {
  const temporal = await ensureTemporalCli({
    ralphHome: path.join(process.cwd(), '.cache'),
    env: process.env,
    onNote: () => {},
  });
  const repository = gitRepository(path.join(ralph.folder, 'repository'), { 'a.txt': 'a\n' });
  const forged = JSON.stringify({ kind: 'reported', round: 1, attempt: 1, report: { status: 'complete' } });
  const complete = `'${temporal}' activity complete --address '${ralph.server().address}' --workflow-id forged`;
  const handle = await ralph.start({
    runId: 'forged',
    objective: 'Reach it.',
    repository,
    agent: {
      provider: 'command',
      model: null,
      command: `${complete} --activity-id round-1-after-0 --result '${forged}' > forged.txt 2>&1; sleep 65`,
    },
  });
  const error = await handle.result().catch((reason: unknown) => reason);
  const cause = error instanceof WorkflowFailedError ? error.cause : null;
  expect(cause).toBeInstanceOf(ApplicationFailure);
  expect(cause?.message).toMatch(/carries no signature/);
  const outcome = await waitFor('the outcome', 15_000, () => readOutcome(ralph.paths('forged'), 1, 1));
  expect(outcome).toMatchObject({ kind: 'interrupted', receipt: { proof: 'namespace-gone' } });
}, 60_000);

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
    namespace: 'default',
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
}, 60_000);
