import type { Catalogue } from './ralph-error.ts';

/** Whether a worker is alive: what it lacks it gets by a new start only. */
type Of = { readonly alive: boolean };

/** Why an agent or its containment cannot be used. */
export const agentErrors = {
  'agent-resumes': {
    exit: 2,
    text: ({ program, flag }: { program: string; flag: string }) =>
      `The agent's command starts ${program} with ${flag}, which resumes an earlier conversation. Every round needs a fresh agent. Leave ${flag} out.`,
  },
  'agent-inherits-context': {
    exit: 2,
    text: ({ provider }: { provider: string }) =>
      `The agent ${provider} carries an earlier conversation into its rounds. Every round needs a fresh agent. Choose another one with --agent.`,
  },
  'agent-without-report': {
    exit: 2,
    text: ({ provider }: { provider: string }) =>
      `The agent ${provider} cannot submit a structured report, so the engine could not read its rounds. Choose another one with --agent.`,
  },
  'agent-program-missing': {
    exit: 2,
    text: ({ provider, program, install, alive }: { provider: string; program: string; install: string } & Of) =>
      alive
        ? `The agent ${provider} needs the program ${program}, which is not on the PATH of the running worker. Install it (${install}), then restart the worker from a shell that finds it: ralph down, ralph up. Or choose another agent.`
        : `The agent ${provider} needs the program ${program}, which is not on PATH. Install it (${install}), or choose another agent.`,
  },
  'agent-program-too-old': {
    exit: 2,
    text: ({
      provider,
      program,
      version,
      least,
      install,
      alive,
    }: { provider: string; program: string; version: string; least: string; install: string } & Of) =>
      `The agent ${provider} needs ${program} ${least} or later, and ${alive ? 'the worker that runs finds' : 'on PATH is'} ${program} ${version}. Install a later one (${install})${alive ? ', or restart the worker from a shell that finds one: ralph down, ralph up' : ''}.`,
  },
  'agent-not-a-script': {
    exit: 2,
    text: ({ provider, file }: { provider: string; file: string }) =>
      `${file} is not the Node script of ${provider} but something that starts it, for example a version manager's shim. The engine must start the script itself to keep the repository's settings out. Put the folder of the real program first on PATH, then \`ralph down\` and \`ralph up\`.`,
  },
  'agent-key-missing': {
    exit: 2,
    text: ({ provider, keys, alive }: { provider: string; keys: readonly string[] } & Of) =>
      `${alive ? 'The running worker has' : 'There is'} no key for the agent ${provider}. Put one of ${keys.join(', ')} into $RALPH_HOME/env (mode 0600), or into the environment of \`ralph worker\`${alive ? ', and restart the worker: ralph down, ralph up' : ''}.`,
  },
  'agent-tokens-unknown': {
    exit: 2,
    text: ({ provider }: { provider: string }) =>
      `The agent ${provider} does not report how many tokens it used, so a token budget could not be enforced. Leave --max-tokens out, or choose another agent with --agent.`,
  },
  'agent-cost-unknown': {
    exit: 2,
    text: ({ provider, model }: { provider: string; model: string | null }) =>
      `The agent ${provider} does not report its cost, and ${model === null ? 'no model with a known price is named' : `no price is known for its model "${model}"`}, so a cost budget could not be enforced. ${model === null ? 'Name a model whose price is known, or put a price' : 'Put its price'} into $RALPH_HOME/prices.json, or leave --max-cost out.`,
  },
} as const satisfies Catalogue;
