import type { AgentSpec, ProviderName } from '../../schemas/run/agent.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { ModelName } from '../../schemas/run/repository-defaults.ts';

/** An agent as flags name it; null: not said. */
export interface AskedAgent {
  readonly agent: ProviderName | null;
  readonly model: string | null;
  /** Shell command of a `command` agent. */
  readonly command: string | null;
}

/** What a repository's file proposes. It never names a command. */
export interface ProposedAgent {
  readonly agent: Exclude<ProviderName, 'command'> | undefined;
  readonly model: string | undefined;
}

/** The flags of one agent, for what is said of them. */
export interface AgentFlags {
  readonly agent: string;
  readonly model: string;
  readonly command: string;
}

/** The agent that flags and a repository's file come to; null where neither names one. Throws RalphError. */
export function agentSpec(asked: AskedAgent, proposed: ProposedAgent, flags: AgentFlags): AgentSpec | null {
  const { command, model } = asked;
  if (model !== null && !ModelName.safeParse(model).success) {
    throw ralphError('model-invalid', { option: flags.model, model });
  }
  const provider = asked.agent ?? (command === null ? proposed.agent : 'command');
  if (provider === undefined) {
    if (model !== null) throw ralphError('option-alone', { option: flags.model, needed: flags.agent });
    return null;
  }
  if (provider === 'command') {
    if (command === null || command.trim() === '') {
      throw ralphError('agent-command-missing', { option: flags.agent, needed: flags.command });
    }
    if (model !== null) throw ralphError('agent-command-model', { option: flags.model });
    return { provider, command, model: null };
  }
  if (command !== null) {
    throw ralphError('agent-command-unexpected', { option: flags.command, agent: `${flags.agent} ${provider}` });
  }
  // The repository's model belongs to the repository's agent: with another one it would be some other program's word.
  const fitting = proposed.agent === undefined || proposed.agent === provider ? (proposed.model ?? null) : null;
  return { provider, command: null, model: model ?? fitting };
}
