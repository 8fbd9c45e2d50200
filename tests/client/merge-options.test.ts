import { mergeOptions } from '../../client/merge-options.ts';
import type { RunOptions } from '../../client/run-options.ts';

const nothing: RunOptions = {
  objective: 'o',
  repository: '/r',
  base: null,
  agent: null,
  model: null,
  command: null,
  sandbox: null,
  network: null,
  readable: [],
  setup: null,
  runId: null,
  limits: {
    maxRounds: null,
    maxHandoffChars: null,
    maxResultChars: null,
    roundTimeoutMs: null,
    idleTimeoutMs: null,
    graceMs: null,
    roundAttempts: null,
    reportAttempts: null,
    maxRejections: null,
    stallRounds: null,
  },
};

test('without flags and ralph.json the built-in defaults hold', () => {
  expect(mergeOptions(nothing, {})).toEqual({
    base: 'HEAD',
    agent: { provider: 'claude-code', command: null, model: null },
    sandbox: { level: 'workspace-write', network: true, readable: [] },
    setup: null,
    limits: {
      maxRounds: 256,
      maxHandoffChars: 16_384,
      maxResultChars: 16_384,
      roundTimeoutMs: 3_600_000,
      idleTimeoutMs: 1_200_000,
      graceMs: 10_000,
      roundAttempts: 3,
      reportAttempts: 2,
      maxRejections: 5,
      stallRounds: 3,
    },
  });
});

test('ralph.json fills what no flag says', () => {
  const merged = mergeOptions(nothing, {
    agent: 'codex',
    model: 'gpt-5',
    base: 'develop',
    setup: 'npm ci',
    sandbox: 'read-only',
    network: false,
    maxRounds: 7,
    roundTimeout: '5m',
    reportAttempts: 1,
  });
  expect(merged).toMatchObject({
    base: 'develop',
    agent: { provider: 'codex', model: 'gpt-5' },
    sandbox: { level: 'read-only', network: false },
    setup: 'npm ci',
    limits: { maxRounds: 7, roundTimeoutMs: 300_000, reportAttempts: 1, idleTimeoutMs: 1_200_000 },
  });
});

test('flags win over ralph.json', () => {
  const merged = mergeOptions(
    {
      ...nothing,
      base: 'main',
      sandbox: 'workspace-write',
      network: true,
      setup: 'make',
      limits: { ...nothing.limits, maxRounds: 3 },
    },
    { base: 'develop', sandbox: 'read-only', network: false, setup: 'npm ci', maxRounds: 7 },
  );
  expect(merged).toMatchObject({
    base: 'main',
    sandbox: { level: 'workspace-write', network: true },
    setup: 'make',
    limits: { maxRounds: 3 },
  });
  expect(mergeOptions({ ...nothing, setup: false }, { setup: 'npm ci' }).setup).toBeNull();
});

test('the model that ralph.json names for its agent is not handed to another agent', () => {
  const merged = mergeOptions({ ...nothing, agent: 'gemini' }, { agent: 'codex', model: 'gpt-5' });
  expect(merged.agent).toEqual({ provider: 'gemini', command: null, model: null });
});

test('--command alone means a command agent, also where ralph.json names another', () => {
  const merged = mergeOptions({ ...nothing, command: './agent.sh' }, { agent: 'codex', model: 'gpt-5' });
  expect(merged.agent).toEqual({ provider: 'command', command: './agent.sh', model: null });
});

test('a setup from ralph.json never runs with full access unless the user says it', () => {
  const open = { ...nothing, sandbox: 'full-access' } as const;
  expect(() => mergeOptions(open, { setup: 'npm ci' })).toThrow(/give.* it yourself with --setup|giving it yourself/);
  expect(mergeOptions({ ...open, setup: 'npm ci' }, { setup: 'npm ci' }).setup).toBe('npm ci');
});
