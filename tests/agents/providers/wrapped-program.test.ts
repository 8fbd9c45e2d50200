import path from 'node:path';
import { FakeModel, type Step } from '../../fixtures/agents/fake-model.ts';
import { installAgent } from '../../fixtures/agents/install-agent.ts';
import { claudeCode } from '../../fixtures/agents/programs.ts';
import { commandAgent, Workspace } from '../../fixtures/agents/workspace.ts';

const WRAPPER = path.join(process.cwd(), 'examples', 'wrapped-program');
const REPORT = { status: 'continue', summary: 'said hi', evidence: [], nextSteps: ['more'], blocker: '' };
const ENV = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_RETRIES'];
const RESET = Math.floor(Date.now() / 1_000) + 18_000;

let workspace: Workspace;
let bin: string;
beforeAll(() => {
  bin = installAgent(claudeCode.package);
}, 300_000);
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace.remove());

async function wrapped(step: Step, key: Readonly<Record<string, string>> = { ANTHROPIC_API_KEY: 'k' }) {
  const model = await FakeModel.start(workspace.root, [step]);
  try {
    return await workspace.run({
      spec: commandAgent(`node ${path.join(WRAPPER, 'claude.mjs')}`),
      workerEnv: {
        ...key,
        ANTHROPIC_BASE_URL: model.url,
        CLAUDE_CODE_MAX_RETRIES: '0',
        RALPH_AGENT_ENV: ENV.join(','),
        PATH: `${bin}${path.delimiter}${process.env['PATH']}`,
      },
      readable: [WRAPPER, path.dirname(bin)],
    });
  } finally {
    await model.stop();
  }
}

const LIMIT: Step = {
  status: 429,
  headers: {
    'retry-after': '18000',
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(RESET),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
  },
};

test('the wrapper of the examples hands on the report and the use of the real program', async () => {
  const ran = await wrapped({ tool: 'StructuredOutput', input: REPORT, usage: { in: 1000, out: 50 } });
  expect(ran.reading.report).toEqual({ kind: 'candidate', value: REPORT });
  expect(ran.use).toMatchObject({ usage: { inputTokens: 1000, outputTokens: 50 }, costEstimated: false });
});

test("it hands on the limit of the program's plan with its end, so that a run waits for it", async () => {
  const ran = await wrapped(LIMIT, { CLAUDE_CODE_OAUTH_TOKEN: 'k' });
  expect(ran.reading.report).toMatchObject({
    fault: { code: 'usage-limited', resetAt: new Date(RESET * 1_000).toISOString() },
  });
});

test('it hands on a rejected key', async () => {
  const ran = await wrapped({ status: 401 });
  expect(ran.reading.report).toMatchObject({ fault: { code: 'bad-credentials', message: /401/ } });
});
