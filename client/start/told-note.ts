import type { RunRequest } from '../../schemas/run/run.ts';

/** A budget of tokens or cost is held by what agents tell, and whether a command agent does is known by its first round. */
export function toldNotes({
  agent,
  fallbackAgent,
  reviewer,
  budgets: { maxTokens, maxCostUsd },
}: Pick<RunRequest, 'agent' | 'fallbackAgent' | 'reviewer' | 'budgets'>): string[] {
  const budgets = [...(maxTokens === null ? [] : ['--max-tokens']), ...(maxCostUsd === null ? [] : ['--max-cost'])];
  const named = Object.entries({ agent, 'fallback agent': fallbackAgent, reviewer });
  const commands = named.filter(([, spec]) => spec !== null && spec.provider === 'command').map(([name]) => name);
  if (budgets.length === 0 || commands.length === 0) return [];
  return [
    `${budgets.join(' and ')} can only be held if the command of the ${commands.join(' and of the ')} writes what it used into the file that RALPH_USAGE_FILE names; a run whose agent does not ends after its first round, one whose reviewer does not at its first rejection (docs/adding-an-agent.md: The usage file).`,
  ];
}
