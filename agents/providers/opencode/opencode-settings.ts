import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LaunchContext } from '../../provider.ts';
import { mergeTables, presentIn } from '../tree-settings.ts';

const FILES = ['opencode.json', 'opencode.jsonc'];
const FOLDER = '.opencode';
const INSTRUCTIONS = ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'];

/** Laid over the user's own settings. The sandbox is the engine's; nobody is there to be asked. */
const SETTINGS = { permission: 'allow', share: 'disabled', autoupdate: false, snapshot: false };

/** Arguments and variables that decide what OpenCode loads. */
export interface OpencodeSettings {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Settings under which OpenCode loads nothing of the repository but, for an agent, its instructions. Its switch for that
 * leaves plugins on: where the repository may have some, it is started beside the workspace, and its shell in it.
 */
export async function opencodeSettings(context: LaunchContext): Promise<OpencodeSettings> {
  const { tree, home, output } = context;
  const reviews = output.name === 'review';
  const instructions = reviews ? [] : (await presentIn(tree, INSTRUCTIONS)).slice(0, 1);
  const isBeside = (await presentIn(tree, [...FILES, FOLDER])).length > 0;
  const beside = isBeside ? await startBeside({ tree, home }) : null;
  const files = [...FILES, ...FILES.map((name) => path.join(FOLDER, name))];
  const settings = {
    ...SETTINGS,
    instructions: [...instructions.map((name) => path.join(tree, name)), ...(beside === null ? [] : [beside.note])],
    ...(beside === null ? {} : { shell: beside.shell }),
    ...(context.repositoryHooks && !reviews ? { mcp: await mergeTables(tree, files, 'mcp') } : {}),
  };
  return {
    argv: beside === null ? [] : [`--dir=${beside.folder}`],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      // The caches of the run are shared by all that it starts; this one says where models are, and holds code.
      XDG_CACHE_HOME: path.join(home, '.cache'),
      ...(reviews ? { OPENCODE_DISABLE_EXTERNAL_SKILLS: '1', OPENCODE_DISABLE_CLAUDE_CODE: '1' } : {}),
      ...(beside === null ? {} : { PWD: beside.folder }),
    },
  };
}

async function startBeside({ tree, home }: { tree: string; home: string }): Promise<{
  folder: string;
  shell: string;
  note: string;
}> {
  const folder = path.join(home, 'start');
  const shell = path.join(home, 'workspace-shell');
  const note = path.join(home, 'where-the-workspace-is.md');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(shell, shellIn({ tree, folder }), { mode: 0o700 });
  await writeFile(
    note,
    `The workspace is ${tree}. The working directory that is named elsewhere is empty and not part of it. Shell commands start in the workspace. Give every other tool an absolute path in the workspace, also those that search.\n`,
  );
  return { folder, shell, note };
}

/** A command that asks for another folder keeps it. */
function shellIn({ tree, folder }: { tree: string; folder: string }): string {
  return `#!/bin/sh
[ "$(pwd -P)" != "$(cd ${quoted(folder)} && pwd -P)" ] || cd ${quoted(tree)} || exit
[ -x /bin/bash ] && exec /bin/bash "$@"
exec /bin/sh "$@"
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
