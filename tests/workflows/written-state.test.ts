import { rmSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { RoundProgress } from '../../schemas/round/round-progress.ts';
import { StepInput } from '../../schemas/loop/loop-input.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { readFinalState, readRoundState, readState } from '../../workspaces/records/loop-state.ts';
import { controlSignal } from '../../workflows/messages.ts';
import { message } from '../support/control-message.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = engine('written-state');
const launch = launcher(ralph);

const memoOf = async (handle: WorkflowHandle) => RunMemo.parse((await handle.describe()).memo?.[MEMO_KEY]);
const payloadText = (data: Uint8Array | null | undefined): unknown => JSON.parse(Buffer.from(data ?? []).toString());

const rounds = [1, 2, 3].map((n) => ({ files: { [`${n}.txt`]: `${n}` }, report: goOn(`${n}`) }));

test('every step is asked with the state, which it writes down as it came; the state before a round is kept', async () => {
  const { handle, paths } = await launch([...rounds, { report: done('4') }]);
  await handle.result();
  const { events } = await handle.fetchHistory();
  const asked = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled === null || scheduled === undefined
      ? []
      : [{ id: scheduled.activityId, data: scheduled.input?.payloads?.[0]?.data }],
  );
  expect(asked.map(({ id }) => id)).toEqual([
    'prepare-1',
    'round-1-after-0',
    'round-2-after-0',
    'round-3-after-0',
    'round-4-after-0',
    'release',
  ]);
  const states = asked.slice(1, 5).map(({ data }) => StepInput.parse(payloadText(data)).state);
  for (const [index, state] of states.entries()) expect(await readRoundState(paths, index + 1)).toEqual(state);
  expect(states.map(({ rounds: ended, handoff }) => [ended, handoff?.summary ?? null])).toEqual([
    [0, null],
    [1, '1'],
    [2, '2'],
    [3, '3'],
  ]);
  const last = await readState(paths);
  expect(last).toMatchObject({ rounds: 4, pending: { round: 4 } });
  expect(await readFinalState(paths)).toEqual({ ...last, pending: null });
});

test('the memo is written when the status changes, however many rounds there are', async () => {
  const { handle } = await launch([...rounds, { report: done('4') }]);
  await handle.result();
  const { events } = await handle.fetchHistory();
  const written = (events ?? []).filter((event) => event.workflowPropertiesModifiedEventAttributes);
  // Preparing, running, and the end.
  expect(written).toHaveLength(3);
  expect(await memoOf(handle)).toMatchObject({ status: 'complete', round: 4, spent: { timeMs: expect.any(Number) } });
});

test('while a round runs its heartbeat tells where the loop stands, which the memo does not', async () => {
  const { handle, agent } = await launch([...rounds, { sleep: 30, report: done('4') }]);
  await waitFor('the fourth agent', 30_000, () => agent.worked(4));
  const counted = await waitFor('its heartbeat', 20_000, async () => {
    const { raw } = await handle.describe();
    const data = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]?.data;
    const beat = data === null || data === undefined ? null : RoundProgress.safeParse(payloadText(data));
    return beat !== null && beat.success ? beat.data : null;
  });
  expect(counted).toMatchObject({ round: 4, counters: { rounds: 3, ceilings: { maxRounds: 10 } } });
  expect(counted.counters?.spent.timeMs).toBeGreaterThan(0);
  expect(await memoOf(handle)).toMatchObject({ status: 'running', round: 1, spent: { timeMs: 0 } });
  agent.go();
  await handle.result();
});

test('a control that is sent again does nothing, also after a continue-as-new', async () => {
  const plan = [{ sleep: 30, report: goOn('1') }, { sleep: 30, report: goOn('2') }, { report: done('3') }];
  const { handle, agent, paths } = await launch(plan, { settings: { continueAfterRounds: 1 } });
  await waitFor('the agent', 20_000, () => agent.worked(1));
  const pause = message({ kind: 'pause', now: false });
  await handle.signal(controlSignal, pause);
  await handle.signal(controlSignal, message({ kind: 'resume' }));
  await handle.signal(controlSignal, pause);
  const isPaused = async () => (await memoOf(handle)).controls.pause;
  await waitFor('the resume', 20_000, async () => !(await isPaused()));
  agent.go();
  await waitFor('its outcome', 20_000, () => readOutcome(paths, 1, 1));
  rmSync(path.join(agent.folder, 'go'));
  await waitFor('the second agent', 20_000, () => agent.worked(2));
  await handle.signal(controlSignal, pause);
  // A later control says when the old one was heard.
  await handle.signal(
    controlSignal,
    message({ kind: 'raise', maxRounds: 12, budgets: (await memoOf(handle)).budgets }),
  );
  await waitFor('the raise', 20_000, async () => (await memoOf(handle)).maxRounds === 12);
  expect(await isPaused()).toBe(false);
  agent.go();
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 3 });
});

test('a signed start of a later execution, sent again once the run was cancelled, starts no agent and changes no record', async () => {
  const plan = [{ files: { 'a.txt': '1' }, report: goOn('1') }, { sleep: 60 }];
  const { handle, agent, paths, runId } = await launch(plan, { settings: { continueAfterRounds: 1 } });
  await waitFor('the second agent', 20_000, () => agent.worked(2));
  const { client, connection } = ralph.server();
  const current = client.workflow.getHandle(runId);
  const { events } = await current.fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(started?.continuedExecutionRunId).toBeTruthy();
  await current.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  const before = await readFinalState(paths);
  await connection.workflowService.startWorkflowExecution({
    namespace: ralph.namespace,
    workflowId: runId,
    workflowType: started?.workflowType ?? null,
    taskQueue: started?.taskQueue ?? null,
    input: started?.input ?? null,
    requestId: 'stranger',
  });
  await expect(client.workflow.getHandle(runId).result()).rejects.toMatchObject({
    cause: { cause: { type: 'run-not-held' } },
  });
  expect(agent.starts()).toHaveLength(2);
  expect(await readFinalState(paths)).toEqual(before);
});
