import path from 'node:path';
import { repositorySettingsNotes } from '../../client/start/repository-settings-notes.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { gitRepository } from '../support/git-repository.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('repository-settings');
const command = (text: string): AgentSpec => ({ provider: 'command', command: text, model: null });
const claude: AgentSpec = { provider: 'claude-code', command: null, model: null };
const notesFor = (files: Record<string, string>, repositoryHooks = false): Promise<string[]> => {
  const { path: place, commit } = gitRepository(path.join(folder, String(Math.random())), files);
  const repository = { path: place, ref: 'HEAD', commit };
  const agents = { agent: claude, reviewer: claude, fallbackAgent: null };
  return repositorySettingsNotes({ repository, repositoryHooks, ...agents, setup: null, gates: [] });
};

test('a launch names the settings of the repository that are switched off, once for each program', async () => {
  const files = { '.claude/settings.json': '{}', '.mcp.json': '{}', 'CLAUDE.md': 'read it' };
  expect(await notesFor(files)).toEqual([
    "The repository's own settings for claude-code are switched off: .claude/settings.json, .mcp.json. Their hooks and MCP servers do not run; --repository-hooks lets agents run them.",
  ]);
  expect(await notesFor(files, true)).toEqual([
    expect.stringContaining('Agents run the hooks and MCP servers in them'),
  ]);
});

test('a repository with instructions alone gives no note', async () => {
  expect(await notesFor({ 'CLAUDE.md': 'read it', 'AGENTS.md': 'read it' })).toEqual([]);
});

test('a launch names the commands that start such a program themselves, of which nothing is kept out', async () => {
  const { path: place, commit } = gitRepository(path.join(folder, 'commands'), { 'README.md': '' });
  const notes = await repositorySettingsNotes({
    repository: { path: place, ref: 'HEAD', commit },
    repositoryHooks: false,
    agent: command('cat > prompt && codex exec - < prompt'),
    reviewer: command('npx @anthropic-ai/claude-code -p'),
    fallbackAgent: command('./my-agent --like claude'),
    setup: 'npm ci',
    gates: [
      { command: 'npm test', timeoutMs: 1 },
      { command: 'gemini -p "is it done?" | grep yes', timeoutMs: 1 },
    ],
  });
  expect(notes).toEqual([
    expect.stringMatching(/^The agent's command starts codex itself, so nothing keeps .*\.codex/),
    expect.stringMatching(
      /^The reviewer's command starts claude itself, .*\.claude\/settings\.json.* --reviewer claude-code/,
    ),
    expect.stringMatching(/^The gate "gemini .*" starts gemini itself, .*\.gemini/),
  ]);
});
