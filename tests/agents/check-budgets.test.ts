import { checkBudgets, rejectUnreported } from '../../agents/usage/check-budgets.ts';
import { providerOf } from '../../agents/registry.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { noBudgets, type Budgets } from '../../schemas/budget/budget.ts';
import type { PriceTable } from '../../schemas/budget/prices.ts';

const prices: PriceTable = {
  asOf: '2026-11-01',
  source: 'a test',
  models: { known: { input: 1, output: 2, cacheWrite: 1, cacheRead: 0.1 } },
};
const cost = { ...noBudgets, maxCostUsd: 5 };
const codex = (model: string | null): AgentSpec => ({ provider: 'codex', command: null, model });

const check = (): void => checkBudgets(codex('unheard-of'), cost, prices);

test('a cost budget is refused for a model without a price, and the error names model, file and way out', () => {
  expect(check).toThrow(expect.objectContaining({ code: 'agent-cost-unknown', exit: 2 }));
  expect(check).toThrow(/codex.*"unheard-of".*\$RALPH_HOME\/prices\.json.*--max-cost/);
});

test('it is refused where no model is named, as its price cannot be known', () => {
  expect(() => checkBudgets(codex(null), cost, prices)).toThrow(/no model.*Name a model/);
});

test.each<[string, AgentSpec]>([
  ['with a known price', codex('known')],
  ['that states its cost itself', { provider: 'claude-code', command: null, model: 'unheard-of' }],
  ['that states its cost step by step', { provider: 'opencode', command: null, model: null }],
  ['that is a command, and may tell by its usage file', { provider: 'command', command: 'true', model: null }],
])('it is taken for an agent %s', (_what, agent) => {
  expect(() => checkBudgets(agent, cost, prices)).not.toThrow();
});

test('without a budget of cost nobody is refused', () => {
  expect(() => checkBudgets(codex('unheard-of'), { ...noBudgets, maxTokens: 5, maxTimeMs: 5 }, prices)).not.toThrow();
});

test('a provider that tells no tokens is refused a budget of tokens, and one of cost whatever its model', () => {
  const { name, capabilities } = providerOf(codex(null));
  const silent = { name, capabilities: { ...capabilities, tellsTokens: false } };
  const refuse = (budgets: Budgets) => () => rejectUnreported(silent, { model: 'known', budgets, prices });
  expect(refuse({ ...noBudgets, maxTokens: 5 })).toThrow(/does not report how many tokens/);
  expect(refuse(cost)).toThrow(expect.objectContaining({ code: 'agent-cost-unknown' }));
});
