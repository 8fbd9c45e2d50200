import path from 'node:path';
import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { FaultCode } from '../../schemas/round/fault.ts';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { RoundFailure } from '../../schemas/run/result.ts';
import { controlSignal } from '../../workflows/messages.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { FakeModel, type Step } from '../fixtures/agents/fake-model.ts';
import { installAgent } from '../fixtures/agents/install-agent.ts';
import { claudeCode, codex, opencode, type Program } from '../fixtures/agents/programs.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, scriptedAgent } from '../support/scripted-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { message as controlMessage } from '../support/control-message.ts';

const ralph = engine('real-faults');
const launch = launcher(ralph);
const modelFolder = tempFolder('real-faults-model');
const userHome = tempFolder('real-faults-home');
let model: FakeModel;

beforeAll(async () => {
  model = await FakeModel.start(modelFolder, []);
  for (const program of [claudeCode, codex, opencode]) {
    Object.assign(process.env, program.configure({ url: model.url, userHome }));
    process.env['PATH'] = `${installAgent(program.package)}${path.delimiter}${process.env['PATH']}`;
  }
  process.env['HOME'] = userHome;
}, 300_000);
afterAll(() => model.stop());

async function failureOf(handle: WorkflowHandle): Promise<RoundFailure> {
  const error = await handle.result().catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return RoundFailure.parse(error.cause.details?.[0]);
}

const half = (program: Program): Step => program.shell('echo half > half.txt');
/** As Anthropic's API refuses a request. */
const refused = (message: string): Step => ({
  status: 400,
  body: { type: 'error', error: { type: 'invalid_request_error', message } },
});
const LOW = 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.';
const LONG = 'Your input exceeds the context window of this model. Please adjust your input and try again.';

const FINAL: readonly [program: Program, code: FaultCode, answer: Step][] = [
  [claudeCode, 'bad-credentials', { status: 401 }],
  [claudeCode, 'no-credit', refused(LOW)],
  [claudeCode, 'refusal', { text: 'I cannot help with that.', stop: 'refusal' }],
  [claudeCode, 'context-too-long', refused('prompt is too long: 250000 tokens > 200000 maximum')],
  [codex, 'bad-credentials', { status: 401 }],
  [codex, 'no-credit', { status: 429, body: { error: { type: 'insufficient_quota', code: 'insufficient_quota' } } }],
  [codex, 'refusal', { text: 'I cannot', incomplete: 'content_filter' }],
  [codex, 'context-too-long', { failed: { code: 'context_length_exceeded', message: LONG } }],
];

test.each(FINAL.map(([program, code, answer]) => [program.spec.provider, code, program, answer] as const))(
  'the real %s: %s ends the run at once, with its work kept',
  async (_name, code, program, answer) => {
    await model.follow([half(program), answer]);
    const { handle, paths, repository, runId } = await launch([], { agent: program.spec });
    expect(await failureOf(handle)).toMatchObject({ round: 1, attempts: 1, fault: { code } });
    expect(await readAttempts(paths)).toHaveLength(1);
    expect(repository.git('show', `ralph/${runId}:half.txt`)).toBe('half');
  },
);

const OTHER = 'Unprocessable: the field "tools" is not allowed';
test.each([
  [claudeCode.spec.provider, claudeCode, refused(OTHER)],
  [codex.spec.provider, codex, { status: 422, body: { error: { message: OTHER } } }],
] as const)(
  'the real %s: a rejection that no rule knows ends the run at the second attempt that meets it, and is shown',
  async (_name, program, answer) => {
    await model.follow([half(program), answer]);
    const { handle, paths } = await launch([], { agent: program.spec, limits: { roundAttempts: 5 } });
    expect(await failureOf(handle)).toMatchObject({
      attempts: 2,
      fault: { code: 'agent-crashed', message: expect.stringMatching(/Unprocessable: .*rejected two attempts/) },
    });
    expect(await readAttempts(paths)).toHaveLength(2);
  },
);

test.each([claudeCode, codex].map((program) => [program.spec.provider, program] as const))(
  'the real %s: an overloaded model (529) is asked again in another attempt, which charges no round and keeps the work',
  async (_name, program) => {
    await model.follow([half(program), { status: 529 }]);
    const { handle, paths, repository, runId } = await launch([], {
      agent: program.spec,
      limits: { maxRounds: 1, roundAttempts: 1 },
    });
    const memo = await waitFor('the wait', 100_000, async () => {
      const told = RunMemo.safeParse((await handle.describe()).memo?.[MEMO_KEY]);
      return told.success && told.data.status === 'waiting' ? told.data : null;
    });
    expect(memo.why).toMatch(/^model-overloaded: /);
    await model.follow([program.report(done('all'))]);
    await handle.signal(controlSignal, controlMessage({ kind: 'retry' }));
    expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
    expect((await readAttempts(paths)).map(({ round, outcome }) => `${round} ${outcome}`)).toEqual([
      '1 model-overloaded',
      '1 complete',
    ]);
    expect((await readEnding(paths))?.ending).toMatchObject({ status: 'complete' });
    expect(repository.git('show', `ralph/${runId}:half.txt`)).toBe('half');
  },
);

test('a rate limit that the real opencode waits for in silence is waited for by the run, which then goes on', async () => {
  await model.follow([half(opencode), { status: 429, headers: { 'retry-after': '3600' } }]);
  const { handle, paths } = await launch([], { agent: opencode.spec, limits: { maxRounds: 1, roundAttempts: 1 } });
  const memo = await waitFor('the wait', 170_000, async () => {
    const told = RunMemo.safeParse((await handle.describe()).memo?.[MEMO_KEY]);
    return told.success && told.data.status === 'waiting' ? told.data : null;
  });
  expect(memo.why).toMatch(/^rate-limited: OpenCode waits for its model/);
  await model.follow([opencode.report(done('all'))]);
  await handle.signal(controlSignal, controlMessage({ kind: 'retry' }));
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
  expect((await readAttempts(paths)).map(({ outcome }) => outcome)).toEqual(['rate-limited', 'complete']);
}, 240_000);

test('the fallback agent takes over from the real claude-code whose model is overloaded', async () => {
  await model.follow([{ status: 529 }]);
  const standIn = scriptedAgent(path.join(ralph.folder, 'stand-in'), [{ files: { x: 'x' }, report: done('1') }]);
  const { handle, paths } = await launch([], { agent: claudeCode.spec, checks: { fallbackAgent: standIn.spec } });
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1, report: { summary: '1' } });
  const attempts = await readAttempts(paths);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['model-overloaded', 'complete']);
});
