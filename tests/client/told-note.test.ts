import { noBudgets } from '../../schemas/budget/budget.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { toldNotes } from '../../client/start/told-note.ts';

const command: AgentSpec = { provider: 'command', command: 'cat', model: null };
const codex: AgentSpec = { provider: 'codex', command: null, model: 'gpt-5' };
const none = { agent: codex, fallbackAgent: null, reviewer: null, budgets: noBudgets };

test('a budget that a command agent may not tell is named once, with who may not, and where to read on', () => {
  const budgets = { ...noBudgets, maxTokens: 5, maxCostUsd: 5 };
  const notes = toldNotes({ ...none, agent: command, reviewer: command, budgets });
  expect(notes).toEqual([
    expect.stringMatching(
      /^--max-tokens and --max-cost can only be held if the command of the agent and of the reviewer/,
    ),
  ]);
  expect(notes[0]).toMatch(/RALPH_USAGE_FILE.*docs\/adding-an-agent\.md/);
});

test('nothing is said where no such budget is set, or no agent is a command', () => {
  expect(toldNotes({ ...none, agent: command, budgets: { ...noBudgets, maxTimeMs: 5 } })).toEqual([]);
  expect(toldNotes({ ...none, budgets: { ...noBudgets, maxCostUsd: 5 } })).toEqual([]);
});
