import { providerOf, providers } from '../../agents/registry.ts';
import { programsStarted } from '../../agents/run/resuming-flags.ts';
import { agentsOf, type RunRequest } from '../../schemas/run/run.ts';
import { unmatchedGlobs } from '../../workspaces/verification/unmatched-globs.ts';

type Asked = Pick<
  RunRequest,
  'repository' | 'repositoryHooks' | 'agent' | 'reviewer' | 'fallbackAgent' | 'setup' | 'gates'
>;

/** The repository's own settings for its agents that are switched off, and the commands for which nothing switches them off. */
export async function repositorySettingsNotes(request: Asked): Promise<string[]> {
  const { path, commit } = request.repository;
  const notes: string[] = [];
  for (const spec of agentsOf(request)) {
    const { name, repositorySettings: globs } = providerOf(spec);
    const unmatched = await unmatchedGlobs({ path, commit, globs });
    const found = globs.filter((glob) => !unmatched.includes(glob));
    if (found.length === 0) continue;
    const commands = request.repositoryHooks
      ? 'Agents run the hooks and MCP servers in them, as you asked; nothing else of them counts.'
      : 'Their hooks and MCP servers do not run; --repository-hooks lets agents run them.';
    notes.push(`The repository's own settings for ${name} are switched off: ${found.join(', ')}. ${commands}`);
  }
  return [...new Set([...notes, ...commandNotes(request)])];
}

/** Whether the repository has such settings does not matter: an agent can commit some. */
function commandNotes({ agent, reviewer, fallbackAgent, setup, gates }: Asked): string[] {
  const commands: (readonly [what: string, command: string | null])[] = [
    ["The agent's command", agent.command],
    ["The fallback agent's command", fallbackAgent === null ? null : fallbackAgent.command],
    ["The reviewer's command", reviewer === null ? null : reviewer.command],
    ['The setup', setup],
    ...gates.map(({ command }) => [`The gate "${command}"`, command] as const),
  ];
  return commands.flatMap(([what, command]) =>
    (command === null ? [] : programsStarted(command)).map((program) => {
      const { name, repositorySettings } = providerNamed(program);
      return `${what} starts ${program} itself, so nothing keeps the repository's settings out of it: ${repositorySettings.join(', ')}. They can move its model, its key and its verdict to another server; --agent ${name} and --reviewer ${name} keep them out.`;
    }),
  );
}

function providerNamed(program: string): (typeof providers)[number] {
  const found = providers.find((provider) => provider.program?.name === program);
  if (found === undefined) throw new TypeError(`no provider starts ${program}`);
  return found;
}
