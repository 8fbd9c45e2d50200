import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hiddenNotes, usageNotes } from '../../client/start/launch-notes.ts';
import { noBudgets } from '../../schemas/budget/budget.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';

const home = tempFolder('hidden-notes');
const at = (name: string): string => path.join(home, name);
for (const folder of ['.ssh', 'state/runs', 'scripts/.aws', 'repository/bin']) {
  mkdirSync(at(folder), { recursive: true });
}
for (const file of ['run.sh', 'scripts/go.sh', 'repository/bin/go', 'key.pem', '.netrc', '.ssh/id_rsa'])
  writeFileSync(at(file), '');
for (const file of ['scripts/.env', 'my-token.txt', 'state/payload-key', 'scripts/.aws/go.sh'])
  writeFileSync(at(file), '');
symlinkSync(at('.ssh/id_rsa'), at('harmless'));

const spec = (command: string) => ({ provider: 'command', command, model: null }) as const;
const notes = (command: string, more: Partial<Parameters<typeof hiddenNotes>[0]> = {}): string[] =>
  hiddenNotes(
    {
      agent: spec(command),
      fallbackAgent: null,
      reviewer: null,
      sandbox: { level: 'workspace-write', network: true, readable: [] },
      repository: { path: at('repository'), ref: 'HEAD', commit: '0'.repeat(40) },
      ...more,
    },
    {
      host: { root: false, homes: [home], workerEnv: {} },
      ralphHome: at('state'),
      reviewerSandbox: { level: 'read-only', network: true, readable: [] },
    },
  );

test.each(['run.sh', 'scripts/go.sh'])('a script of the user is proposed to be opened alone: %s', (name) => {
  expect(notes(`sh ${at(name)}`)).toEqual([
    `The agent's command names ${at(name)}, which the sandbox hides: open that file alone with --read ${at(name)}.`,
  ]);
});

test.each([
  'scripts',
  '.ssh',
  'state',
  'state/runs',
  '.ssh/id_rsa',
  '.netrc',
  'key.pem',
  'my-token.txt',
  'scripts/.env',
  'scripts/.aws/go.sh',
  'state/payload-key',
  'harmless',
])('nothing is proposed to be opened where keys may lie: %s', (name) => {
  const [note = ''] = notes(`sh ${at(name)}`);
  expect(note).toMatch(/do not open it: put what the agent needs into the repository/);
  expect(note).not.toContain('--read');
});

test('a file of the repository is in the copy that rounds work in', () => {
  expect(notes(at('repository/bin/go'))).toEqual([expect.stringMatching(/in which it is \.\/bin\/go\.$/)]);
});

test('the commands of a fallback agent and of a reviewer are looked at too, each in its own sandbox', () => {
  const others = { fallbackAgent: spec(at('run.sh')), reviewer: spec(at('scripts/go.sh')) };
  expect(notes('true', others)).toEqual([
    expect.stringContaining(`The fallback agent's command names ${at('run.sh')}`),
    expect.stringContaining(`The reviewer's command names ${at('scripts/go.sh')}`),
  ]);
  const open: Sandbox = { level: 'full-access', network: true, readable: [] };
  expect(notes('true', { ...others, sandbox: open })).toEqual([
    expect.stringContaining(`The reviewer's command names ${at('scripts/go.sh')}`),
  ]);
});

const command: AgentSpec = { provider: 'command', command: 'cat', model: null };
const codex: AgentSpec = { provider: 'codex', command: null, model: 'gpt-5' };
const none = { agent: codex, fallbackAgent: null, reviewer: null, budgets: noBudgets };

test('a budget that a command agent may not tell is named once, with who may not, and where to read on', () => {
  const budgets = { ...noBudgets, maxTokens: 5, maxCostUsd: 5 };
  const warnings = usageNotes({ ...none, agent: command, reviewer: command, budgets });
  expect(warnings).toEqual([
    expect.stringMatching(
      /^--max-tokens and --max-cost can only be held if the command of the agent and of the reviewer/,
    ),
  ]);
  expect(warnings[0]).toMatch(/RALPH_USAGE_FILE.*docs\/adding-an-agent\.md/);
});

test('nothing is said where no such budget is set, or no agent is a command', () => {
  expect(usageNotes({ ...none, agent: command, budgets: { ...noBudgets, maxTimeMs: 5 } })).toEqual([]);
  expect(usageNotes({ ...none, budgets: { ...noBudgets, maxCostUsd: 5 } })).toEqual([]);
});
