import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { Budgets } from '../../schemas/budget/budget.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { priceOf, type PriceTable } from '../../schemas/budget/prices.ts';
import type { AgentProvider } from '../provider.ts';
import { providerOf } from '../registry.ts';

/**
 * Refuse a budget that nothing would hold, as the agent does not tell what it is held by: asked before a run starts, of
 * each of its agents. A command agent may tell by its usage file; one that does not ends the run then.
 * @throws RalphError `agent-tokens-unknown`, `agent-cost-unknown`
 */
export function checkBudgets(agent: AgentSpec, budgets: Budgets, prices: PriceTable): void {
  rejectUnreported(providerOf(agent), { model: agent.model, budgets, prices });
}

/** The rule on its own, for providers that are not in the registry. */
export function rejectUnreported(
  { name, capabilities }: Pick<AgentProvider, 'name' | 'capabilities'>,
  { model, budgets, prices }: { model: string | null; budgets: Budgets; prices: PriceTable },
): void {
  const { tellsTokens, tellsCost } = capabilities;
  if (budgets.maxTokens !== null && !tellsTokens) throw ralphError('agent-tokens-unknown', { provider: name });
  if (budgets.maxCostUsd === null || tellsCost) return;
  if (tellsTokens && model !== null && priceOf(model, prices) !== null) return;
  throw ralphError('agent-cost-unknown', { provider: name, model });
}
