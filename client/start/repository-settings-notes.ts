import { providerOf } from '../../agents/registry.ts';
import { agentsOf } from '../../schemas/run/agents-of.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { unmatchedGlobs } from '../../workspaces/verification/unmatched-globs.ts';

/** The repository's own settings for its agents that are switched off, or of which only commands are used. */
export async function repositorySettingsNotes(
  request: Pick<RunRequest, 'repository' | 'repositoryHooks' | 'agent' | 'reviewer' | 'fallbackAgent'>,
): Promise<string[]> {
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
  return [...new Set(notes)];
}
