import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ApplicationFailure, Client, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { RoundFailure } from '../../schemas/run/result.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { engine } from '../support/engine.ts';
import { gitRepository } from '../support/git-repository.ts';
import { done, goOn, scriptedAgent, type Step } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = engine('ralph-loop');
let count = 0;

/** A run of its own repository and agent. */
async function launch(plan: readonly Step[], more: Partial<Parameters<typeof ralph.start>[0]> = {}) {
  const runId = `run-${(count += 1)}`;
  const repository = gitRepository(path.join(ralph.folder, `repository-${count}`), { 'a.txt': 'a\n' });
  const agent = scriptedAgent(path.join(ralph.folder, `agent-${count}`), plan);
  const handle = await ralph.start({ runId, objective: 'Reach it.', repository, agent: agent.spec, ...more });
  return { runId, repository, agent, handle, paths: ralph.paths(runId) };
}

async function failureOf(handle: WorkflowHandle): Promise<{ type: string; failure: RoundFailure }> {
  const error = await handle.result().catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return { type: String(error.cause.type), failure: RoundFailure.parse(error.cause.details?.[0]) };
}

const memoOf = async (handle: WorkflowHandle) => RunMemo.parse((await handle.describe()).memo?.[MEMO_KEY]);

test('hands the last report on, and nothing else, until an agent reports completion', async () => {
  const { agent, handle, repository, runId, paths } = await launch([
    { files: { 'one.txt': '1' }, report: goOn('did one', ['do two']) },
    { files: { 'two.txt': '2' }, commit: 'mine', report: goOn('did two', ['do three']) },
    { files: { 'three.txt': '3' }, say: 'last words', report: done('did three') },
  ]);
  expect(await handle.result()).toMatchObject({
    status: 'complete',
    verification: 'agent-reported',
    rounds: 3,
    report: { summary: 'did three' },
    ref: `refs/heads/ralph/${runId}`,
  });
  const [first, second, third] = agent.starts();
  expect(first?.prompt).not.toContain('do two');
  expect(second?.prompt).toContain('do two');
  expect(third?.prompt).toContain('do three');
  expect(third?.prompt).not.toContain('do two');
  expect(third?.files).toEqual(expect.arrayContaining(['one.txt', 'two.txt']));
  expect(repository.git('log', '--format=%an %s', `main..ralph/${runId}`).split('\n')).toEqual([
    `User Round 3 of ${runId}: did three`,
    `User Round 2 of ${runId}: did two`,
    'User mine',
    `User Round 1 of ${runId}: did one`,
  ]);
  expect((await readAttempts(paths)).map(({ round, outcome }) => `${round} ${outcome}`)).toEqual([
    '1 continue',
    '2 continue',
    '3 complete',
  ]);
  expect(await memoOf(handle)).toMatchObject({ status: 'complete', round: 3, receipt: { proof: 'namespace-gone' } });
});

test('an objective of 60,000 odd characters reaches the agent byte for byte and stands in no argv', async () => {
  const objective = `Do "this" & 'that' | <them> $HOME \`x\` \\n\r\n\t 🙂 é ${'x~"\'&|>🙂\n'.repeat(6_000)}`.slice(
    0,
    60_001,
  );
  const { agent, handle } = await launch([{ report: done('d') }], { objective });
  await handle.result();
  expect(agent.starts()[0]?.prompt).toContain(objective);
  expect(JSON.stringify(agent.starts()[0]?.env)).not.toContain('this');
});

test('the last allowed round may complete; one more "continue" is budget-limited with that report', async () => {
  const late = await launch([{ report: goOn('1') }, { report: done('2') }], { limits: { maxRounds: 2 } });
  expect(await late.handle.result()).toMatchObject({ status: 'complete', rounds: 2 });
  const spent = await launch([{ report: goOn('1') }, { report: goOn('2') }], { limits: { maxRounds: 2 } });
  expect(await spent.handle.result()).toMatchObject({
    status: 'budget-limited',
    budget: 'rounds',
    rounds: 2,
    handoff: { summary: '2' },
  });
  expect(await readEnding(spent.paths)).toMatchObject({ ending: { status: 'budget-limited' } });
});

test('a blocker ends the run and says what must change', async () => {
  const report = { ...goOn('s', []), status: 'blocked', blocker: 'no database' };
  const { handle } = await launch([{ report }]);
  expect(await handle.result()).toMatchObject({ status: 'blocked', report: { blocker: 'no database' } });
  expect(await memoOf(handle)).toMatchObject({ status: 'blocked', why: 'no database' });
});

test.each([
  [
    'breaks the contract',
    { ...goOn('bad'), nextSteps: [] },
    'report-invalid',
    'nextSteps must hold one: a "continue" report names a next step',
  ],
  ['is too long', goOn('x'.repeat(20_000)), 'report-oversized', '16384'],
  ['is no JSON', 'all done, trust me', 'report-invalid', ''],
])('a report that %s is attempted once more, by an agent that is told why', async (_what, report, code, said) => {
  const { agent, handle, paths } = await launch([{ files: { 'w.txt': 'w' }, report }, { report: done('good') }]);
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
  const second = agent.starts()[1];
  expect(second?.prompt).toMatch(/rejected/);
  expect(second?.prompt).toContain(said);
  expect(second?.files).toContain('w.txt');
  expect((await readAttempts(paths)).map(({ round, attempt, outcome }) => [round, attempt, outcome])).toEqual([
    [1, 1, code],
    [1, 2, 'complete'],
  ]);
});

test('a report that breaks the contract twice, or once under the strict rule, ends the run with the last good handoff', async () => {
  const twice = await launch([{ report: goOn('good one') }, { report: {} }, { report: {} }, { report: done('never') }]);
  const { type, failure } = await failureOf(twice.handle);
  expect(type).toBe('report-invalid');
  expect(failure).toMatchObject({ round: 2, attempts: 2, handoff: { summary: 'good one' } });
  expect(await readEnding(twice.paths)).toMatchObject({ ending: { status: 'round-failed' } });
  const strict = await launch([{ report: {} }], { limits: { reportAttempts: 1 } });
  expect((await failureOf(strict.handle)).failure).toMatchObject({ round: 1, attempts: 1, handoff: null });
});

test('an agent that crashes is attempted anew, and the work of the crashed one is a commit', async () => {
  const { handle, repository, runId, paths } = await launch([
    { files: { 'half.txt': 'half' }, exit: 3 },
    { report: done('whole') },
  ]);
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
  expect(repository.git('log', '--format=%(trailers:key=Ralph-Status,valueonly)', `ralph/${runId}`)).toContain(
    'failed',
  );
  expect(repository.git('show', `ralph/${runId}:half.txt`)).toBe('half');
  const commit = repository.git('rev-parse', `ralph/${runId}~1`);
  expect(await readOutcome(paths, 1, 1)).toMatchObject({ kind: 'failed', receipt: { commit } });
});

test('a round that outlasts its timeout is disposed of with what it left behind', async () => {
  const { agent, handle, paths } = await launch([{ leave: 61, sleep: 60 }, { report: done('d') }], {
    limits: { roundTimeoutMs: 1_500 },
  });
  await handle.result();
  expect(await readOutcome(paths, 1, 1)).toMatchObject({
    fault: { code: 'round-timeout' },
    receipt: { proof: 'namespace-gone', cause: 'round-timeout' },
  });
  expect(agent.starts()).toHaveLength(2);
});

test('a cancel ends the agent, keeps its work as a commit, and leaves a receipt that names it in the memo and on disk', async () => {
  const { agent, handle, paths, repository, runId } = await launch([
    { report: goOn('1') },
    { files: { 'half.txt': 'half' }, leave: 62, sleep: 60 },
  ]);
  await waitFor('the second agent', 20_000, () => agent.worked(2));
  await handle.signal('cancelReason', 'enough');
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  const commit = repository.git('rev-parse', `ralph/${runId}`);
  const receipt = { proof: 'namespace-gone', cause: 'cancelled', commit };
  expect(await memoOf(handle)).toMatchObject({ status: 'cancelled', why: 'enough', commit, receipt });
  expect(await readEnding(paths)).toMatchObject({ ending: { status: 'cancelled', reason: 'enough' }, receipt });
  expect(await readOutcome(paths, 2, 1)).toMatchObject({ kind: 'interrupted', by: 'cancelled', receipt });
  expect((await readOutcome(paths, 1, 1))?.receipt.commit).toBe(repository.git('rev-parse', `ralph/${runId}~1`));
  expect(repository.git('show', `ralph/${runId}:half.txt`)).toBe('half');
});

test("a stranger's reason for a cancel is not taken for the user's, and does not keep a cancel from its receipt", async () => {
  const { agent, handle, paths } = await launch([{ leave: 64, sleep: 60 }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  const stranger = new Client({ connection: ralph.server().connection, namespace: ralph.namespace });
  await stranger.workflow.getHandle(handle.workflowId).signal('cancelReason', 'forged');
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  const receipt = { proof: 'namespace-gone', cause: 'cancelled' };
  expect(await readEnding(paths)).toMatchObject({ ending: { status: 'cancelled', reason: null }, receipt });
});

test('a run terminated from outside loses its agent within seconds', async () => {
  const { agent, handle, paths } = await launch([{ leave: 63, sleep: 60 }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.terminate('by hand');
  const outcome = await waitFor('the outcome', 15_000, () => readOutcome(paths, 1, 1));
  expect(outcome).toMatchObject({ kind: 'interrupted', by: 'disowned', receipt: { proof: 'namespace-gone' } });
});

test('a worker that is shut down gives its round back: another attempt, neither cancelled nor complete', async () => {
  const { agent, handle, paths } = await launch([{ files: { 'half.txt': 'h' }, sleep: 60 }, { report: done('d') }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await ralph.stopWorkers();
  expect(await readOutcome(paths, 1, 1)).toMatchObject({ kind: 'interrupted', by: 'worker-stopped' });
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await ralph.startWorkers();
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
  expect(agent.starts()[1]?.files).toContain('half.txt');
});

test('rounds, handoff and budget go on over a continue-as-new', async () => {
  const { handle, agent } = await launch(
    [{ report: goOn('1', ['two']) }, { report: goOn('2', ['three']) }, { report: goOn('3') }],
    {
      limits: { maxRounds: 3 },
      settings: { continueAfterRounds: 1 },
    },
  );
  const first = (await handle.describe()).runId;
  expect(await handle.result()).toMatchObject({ status: 'budget-limited', rounds: 3, handoff: { summary: '3' } });
  expect(agent.starts().map(({ env }) => env['RALPH_ROUND'])).toEqual(['1', '2', '3']);
  expect(agent.starts()[2]?.prompt).toContain('three');
  expect((await handle.describe()).runId).not.toBe(first);
  expect(await memoOf(handle)).toMatchObject({ status: 'budget-limited', round: 3, maxRounds: 3 });
});

test('setup runs once, in the workspace, before the first round', async () => {
  const { handle, agent } = await launch([{ report: goOn('1') }, { report: done('2') }], {
    setup: 'echo ran >> .setup-ran && echo .setup-ran >> .git/info/exclude',
  });
  await handle.result();
  expect(agent.starts()[1]?.files).toContain('.setup-ran');
  expect(readFileSync(path.join(ralph.paths('x').root, '..', await idOf(handle), 'tree', '.setup-ran'), 'utf8')).toBe(
    'ran\n',
  );
});

test('a setup that fails ends the run before any round, with its last words', async () => {
  const { handle, agent, paths } = await launch([{ report: done('never') }], {
    setup: 'echo no such thing >&2; exit 4',
  });
  const { type, failure } = await failureOf(handle);
  expect(type).toBe('setup-failed');
  expect(failure).toMatchObject({ round: 0 });
  expect(failure.fault.message).toMatch(/exits 4.*no such thing/s);
  expect(agent.starts()).toHaveLength(0);
  expect(existsSync(paths.ending)).toBe(true);
});

const idOf = async (handle: WorkflowHandle): Promise<string> => (await handle.describe()).workflowId;
