import type { PriceTable } from '../../../schemas/budget/prices.ts';
import { programRound } from '../../fixtures/agents/program-round.ts';
import { claudeCode, codex, gemini } from '../../fixtures/agents/programs.ts';
import { commandAgent, Workspace } from '../../fixtures/agents/workspace.ts';

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => {
  workspace.remove();
});

const REPORT = '{"status":"continue","summary":"s","evidence":[],"nextSteps":["n"],"blocker":""}';
const WRITE_REPORT = `printf '%s' '${REPORT}' > "$RALPH_REPORT_FILE"`;
const use = (fields: object): string => `printf '%s' '${JSON.stringify(fields)}' > "$RALPH_USAGE_FILE"`;
const TOKENS = { inputTokens: 1_000, outputTokens: 500, cacheWriteTokens: 100, cacheReadTokens: 9_000 };
const prices: PriceTable = {
  asOf: '2026-11-01',
  source: 'a test',
  models: { m: { input: 100, output: 1_000, cacheWrite: 200, cacheRead: 10 } },
};

test('what a command wrote into its usage file counts, and is shown', async () => {
  const { use: used, reading } = await workspace.run({
    spec: commandAgent(`${use({ ...TOKENS, costUsd: 0.25 })}; ${WRITE_REPORT}`),
  });
  expect(used).toEqual({ usage: TOKENS, costUsd: 0.25, costEstimated: false });
  expect(reading.report.kind).toBe('candidate');
});

test('tokens are shown while a command is at work', async () => {
  const command = `${use(TOKENS)}; until [ -e seen ]; do echo at work; sleep 0.05; done; ${WRITE_REPORT}`;
  const { ended } = await workspace.run({
    spec: commandAgent(command),
    limits: { idleTimeoutMs: 20_000, roundTimeoutMs: 20_000 },
    onShown: ({ usage }) => {
      if (usage !== null) workspace.put('seen', '');
    },
  });
  expect(ended).toBe('exited');
});

test('a cost that a command does not state is estimated by the model that it names', async () => {
  const { use: used } = await workspace.run({
    spec: commandAgent(`${use({ ...TOKENS, model: 'm' })}; ${WRITE_REPORT}`),
    prices,
  });
  expect(used).toEqual({ usage: TOKENS, costUsd: 0.1 + 0.5 + 0.02 + 0.09, costEstimated: true });
});

test('without a price, or without tokens, nothing is estimated', async () => {
  const unknown = await workspace.run({ spec: commandAgent(use({ ...TOKENS, model: 'other' })), prices });
  expect(unknown.use).toEqual({ usage: TOKENS, costUsd: null, costEstimated: false });
  const silent = await workspace.run({ spec: commandAgent('true'), prices, attempt: 2 });
  expect(silent.use).toEqual({ usage: null, costUsd: null, costEstimated: false });
});

test.each([
  ['is no JSON', 'echo "{" > "$RALPH_USAGE_FILE"'],
  ['has negative numbers', use({ ...TOKENS, inputTokens: -1 })],
  ['lacks a number', use({ inputTokens: 1 })],
  ['is a link', 'ln -s /etc/hostname "$RALPH_USAGE_FILE"'],
  ['is a FIFO', 'mkfifo "$RALPH_USAGE_FILE"'],
  ['is huge', 'truncate -s 10G "$RALPH_USAGE_FILE"'],
])('a usage file that %s tells nothing, and does no harm', async (_what, command) => {
  const { use: used, reading } = await workspace.run({ spec: commandAgent(`${command}; ${WRITE_REPORT}`) });
  expect(used.usage).toBeNull();
  expect(reading.report.kind).toBe('candidate');
});

test('half a usage file takes back nothing of what was told before', async () => {
  const { use: used } = await workspace.run({
    spec: commandAgent(`${use(TOKENS)}; sleep 2; echo '{"inputTok' > "$RALPH_USAGE_FILE"; ${WRITE_REPORT}`),
    allowance: { tokens: 1_000_000 },
  });
  expect(used.usage).toEqual(TOKENS);
});

test.each([
  ['tokens', { tokens: 1_600 }, TOKENS, /tokens budget is used up: .* 1,600 tokens, and 1,600 tokens was left/],
  [
    'stated cost',
    { costUsd: 0.2 },
    { ...TOKENS, costUsd: 0.25 },
    /cost budget is used up: .* \$0\.25, and \$0\.20 was/,
  ],
  ['estimated cost', { costUsd: 0.2 }, { ...TOKENS, model: 'm' }, /cost budget .* about \$0\.71, and \$0\.20 was left/],
])(
  'a command whose usage file tells that its %s are used up is ended in mid-round',
  async (_w, allowance, told, said) => {
    const { reading, ended, receipt } = await workspace.run({
      spec: commandAgent(`${use(told)}; echo half > work.txt; while :; do echo at work; sleep 0.1; done`),
      allowance,
      prices,
    });
    expect(ended).toBe('budget-spent');
    expect(receipt).toMatchObject({ cause: 'budget-spent', proof: 'namespace-gone' });
    expect(reading.report).toMatchObject({
      kind: 'fault',
      fault: { code: 'budget-spent', message: expect.stringMatching(said), resetAt: null },
    });
  },
);

test('one token below what is left, it goes on to its end', async () => {
  const { ended } = await workspace.run({
    spec: commandAgent(`${use(TOKENS)}; sleep 2; ${WRITE_REPORT}`),
    allowance: { tokens: 1_601, costUsd: 1_000 },
  });
  expect(ended).toBe('exited');
});

test('a report that was handed in before the budget was used up counts', async () => {
  const { reading, ended, receipt } = await workspace.run({
    spec: commandAgent(`${WRITE_REPORT}; ${use(TOKENS)}; while :; do echo at work; sleep 0.1; done`),
    allowance: { tokens: 1_600 },
  });
  expect(ended).toBe('budget-spent');
  expect(receipt.cause).toBe('budget-spent');
  expect(reading.report).toEqual({ kind: 'candidate', value: JSON.parse(REPORT) });
});

test.each([
  ['tokens', { tokens: 5_000 }, /tokens budget is used up/],
  ['cost, estimated by its model', { costUsd: 0.4 }, /cost budget is used up: .* about \$0\.5/],
])(
  'the real Claude Code is ended in mid-round when its messages tell that its %s are used up',
  async (_w, allowance, said) => {
    const ran = await programRound(
      { ...claudeCode, spec: { provider: 'claude-code', command: null, model: 'm' } },
      {
        steps: [
          { ...claudeCode.shell('echo half > work.txt; sleep 97'), usage: { in: 5_000, out: 10 } },
          claudeCode.report(JSON.parse(REPORT)),
        ],
        allowance,
        prices,
        limits: { roundTimeoutMs: 40_000 },
      },
    );
    ran.workspace.remove();
    expect(ran.ended).toBe('budget-spent');
    expect(ran.use.usage?.inputTokens).toBe(5_000);
    expect(ran.reading.report).toMatchObject({
      kind: 'fault',
      fault: { code: 'budget-spent', message: expect.stringMatching(said) },
    });
  },
);

test.each([
  ['tokens', { tokens: 20_000 }, /tokens budget is used up/],
  ['cost, estimated by its model', { costUsd: 0.04 }, /cost budget is used up: .* about \$0\.0/],
])(
  'the real Codex in an endless loop of tools is ended when its session tells that its %s are used up',
  async (_w, allowance, said) => {
    const price = { input: 2, output: 10, cacheWrite: 2, cacheRead: 0.2 };
    const ran = await programRound(codex, {
      steps: [{ ...codex.shell('sleep 0.3'), usage: { in: 5_000, out: 10 } }],
      allowance,
      prices: { ...prices, models: { 'gpt-5': price } },
      limits: { roundTimeoutMs: 40_000 },
    });
    ran.workspace.remove();
    expect(ran.ended).toBe('budget-spent');
    expect(ran.use.usage?.inputTokens).toBeGreaterThanOrEqual(20_000);
    expect(ran.requests).toBeLessThan(20);
    expect(ran.reading.report).toMatchObject({
      kind: 'fault',
      fault: { code: 'budget-spent', message: expect.stringMatching(said) },
    });
  },
);

test('the real Gemini CLI in an endless loop of tools is ended when its session tells that its tokens are used up', async () => {
  const ran = await programRound(gemini, {
    steps: [{ ...gemini.shell('sleep 0.3'), usage: { in: 5_000, out: 10, cached: 1_000 } }],
    allowance: { tokens: 12_000 },
    limits: { roundTimeoutMs: 40_000 },
  });
  ran.workspace.remove();
  expect(ran.ended).toBe('budget-spent');
  expect(ran.use.usage?.inputTokens).toBeGreaterThanOrEqual(11_900);
  expect(ran.use.usage?.cacheReadTokens).toBeGreaterThanOrEqual(3_000);
  expect(ran.requests).toBeLessThan(20);
  expect(ran.reading.report).toMatchObject({ fault: { code: 'budget-spent' } });
});

test('what the real Codex costs is estimated by the model that it was asked for, as it states its tokens alone', async () => {
  const steps = [{ ...codex.report(JSON.parse(REPORT)), usage: { in: 2_000, out: 100, cached: 500 } }];
  const price = { input: 2, output: 10, cacheWrite: 2, cacheRead: 0.2 };
  const ran = await programRound(codex, { steps, prices: { ...prices, models: { 'gpt-5': price } } });
  ran.workspace.remove();
  const costUsd = expect.closeTo((1_500 * 2 + 100 * 10 + 500 * 0.2) / 1_000_000, 10);
  expect(ran.use).toMatchObject({ costUsd, costEstimated: true });
});

test('the time that is left ends a command that is at work', async () => {
  const { reading, ended } = await workspace.run({
    spec: commandAgent('while :; do echo at work; sleep 0.1; done'),
    allowance: { timeMs: 1_000 },
  });
  expect(ended).toBe('budget-spent');
  expect(reading.report).toMatchObject({
    kind: 'fault',
    fault: { code: 'budget-spent', message: /time budget is used up: this attempt used 1s, and 1s was left/ },
  });
});
