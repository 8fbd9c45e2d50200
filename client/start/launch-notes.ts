import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SandboxHost } from '../../agents/containment/bubblewrap/sandbox-host.ts';
import { hiddenPaths } from '../../agents/containment/bubblewrap/bubblewrap-flags.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';

/** Files that a run's command agents need and the sandbox hides. Without this note the first round fails with whatever the command prints. */
export function hiddenNotes(
  request: Pick<RunRequest, 'agent' | 'fallbackAgent' | 'reviewer' | 'sandbox' | 'repository'>,
  machine: { host: SandboxHost; ralphHome: string; reviewerSandbox: Sandbox },
): string[] {
  const { agent, fallbackAgent, reviewer } = request;
  const { reviewerSandbox } = machine;
  return [
    ...notesOn('agent', agent, { ...request, ...machine }),
    ...notesOn('fallback agent', fallbackAgent, { ...request, ...machine }),
    ...notesOn('reviewer', reviewer, { ...request, ...machine, sandbox: reviewerSandbox }),
  ];
}

function notesOn(
  who: string,
  spec: AgentSpec | null,
  {
    sandbox,
    repository,
    host,
    ralphHome,
  }: Pick<RunRequest, 'sandbox' | 'repository'> & { host: SandboxHost; ralphHome: string },
): string[] {
  if (spec === null || spec.command === null) return [];
  return hiddenPaths(spec.command, sandbox, host).map((place) => {
    const wayOut = isWithin(repository.path, place)
      ? `rounds work in a copy of the repository, in which it is ./${path.relative(repository.path, place)}`
      : mayBeOpened(place, host.homes, ralphHome)
        ? `open that file alone with --read ${place}`
        : 'keys may lie there, so do not open it: put what the agent needs into the repository, and keys into the environment (RALPH_AGENT_ENV)';
    return `The ${who}'s command names ${place}, which the sandbox hides: ${wayOut}.`;
  });
}

/** Hidden files and folders of a home hold keys and logins. */
const TELLING = /^\.|^id_|\.(pem|key|p12|pfx|kdbx|env)$|secret|credential|token|password/i;

/** Only a file is ever proposed to be opened, and none that may itself be a key. */
function mayBeOpened(place: string, homes: readonly string[], ralphHome: string): boolean {
  const real = realpathSync(place);
  if (!statSync(real).isFile() || isWithin(ralphHome, real)) return false;
  return [place, real].every((file) => {
    const home = homes.find((folder) => isWithin(folder, file));
    const inside = home === undefined ? file : path.relative(home, file);
    return !inside.split('/').some((part) => TELLING.test(part));
  });
}

function isWithin(folder: string, place: string): boolean {
  const inside = path.relative(folder, place);
  return inside !== '..' && !inside.startsWith('../');
}

/** A budget of tokens or cost depends on what agents report, and whether a command agent reports is only known after its first round. */
export function usageNotes({
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
