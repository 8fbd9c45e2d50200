import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { WorkspaceState } from '../../schemas/loop/preparation.ts';
import { removeTree } from '../files/remove-tree.ts';
import { readJson, writeJsonAtomically } from '../records/json-file.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { copyIndex, engineIndex, scratchFolder } from '../repository/engine-repository.ts';
import { lookAtTree, nameOf, type Difference } from './look-at-tree.ts';

/** What the setup command left in the tree that git does not know and no rule ignores. Names are bytes as Latin-1. */
const SetupMade = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      mode: z.number(),
      size: z.number(),
      changedMs: z.number(),
      statusMs: z.number(),
    }),
  ),
  /** Nested repositories, as UTF-8. */
  nested: z.array(z.string()),
});
type SetupMade = z.infer<typeof SetupMade>;

const PATIENCE_MS = 60_000;

/**
 * Remember what the setup command made, so that it is not taken for an agent's work while nobody changes it, and note it
 * with the workspace. Called once the command has ended and before the first round. Safe to call again.
 */
export async function noteSetupMade(paths: RunPaths, workspace: WorkspaceState): Promise<WorkspaceState> {
  const made = (await readJson(paths.setupMade, SetupMade)) ?? (await lookForMade(paths));
  await writeJsonAtomically(paths.setupMade, made);
  const notes = [...new Set([...workspace.notes, ...wordsFor(made)])];
  await writeJsonAtomically(paths.workspace, { ...workspace, notes } satisfies WorkspaceState);
  return { ...workspace, notes };
}

/** What a reader should know of what the setup command made. */
export async function setupMadeNotes(paths: RunPaths): Promise<string[]> {
  const made = await readJson(paths.setupMade, SetupMade);
  return made === null ? [] : wordsFor(made);
}

function wordsFor({ files, nested }: SetupMade): string[] {
  const names = [...new Set([...files.map(({ path }) => topOf(nameOf(path))), ...nested])];
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : '';
  const list = `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
  return [
    `The setup command made files that no rule ignores; they are committed only if somebody changes them: ${list}.`,
  ];
}

const MOST_NAMED = 20;

const topOf = (path: string): string => (path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path);

async function lookForMade(paths: RunPaths): Promise<SetupMade> {
  const scratch = scratchFolder(paths);
  try {
    const index = join(scratch, 'index');
    copyIndex(engineIndex(paths), index);
    const call = { gitDir: paths.repository, workTree: paths.tree, index, patienceMs: PATIENCE_MS };
    const { differences, nested } = await lookAtTree(call);
    const files = differences.flatMap(({ path, entry, stat }) =>
      entry === null && stat !== null ? [{ path, ...print(stat) }] : [],
    );
    return { files, nested: [...nested] };
  } finally {
    await removeTree(scratch);
  }
}

/** What changes with every change of a file. */
const print = ({ mode, size, mtimeMs, ctimeMs }: Stats) => ({ mode, size, changedMs: mtimeMs, statusMs: ctimeMs });

/** Tells what setup made, and nobody has changed since, from an agent's work. */
export async function setupMadeIn(paths: RunPaths): Promise<{
  isFile: (difference: Difference) => boolean;
  isNested: (name: string) => boolean;
}> {
  const made = await readJson(paths.setupMade, SetupMade);
  if (made === null) return { isFile: () => false, isNested: () => false };
  const files = new Map(made.files.map((file) => [file.path, file]));
  const nested = new Set(made.nested);
  return {
    isFile({ path, entry, stat }) {
      const then = files.get(path);
      if (then === undefined || entry !== null || stat === null) return false;
      const now = print(stat);
      return (['mode', 'size', 'changedMs', 'statusMs'] as const).every((what) => now[what] === then[what]);
    },
    isNested: (name) => nested.has(name),
  };
}

/** For an agent's own git, so that its `git add -A` takes nothing of it along. At most the first files. */
export async function setupMadeRules(paths: RunPaths): Promise<string> {
  const made = await readJson(paths.setupMade, SetupMade);
  if (made === null) return '';
  const names = [...made.files.map(({ path }) => nameOf(path)), ...made.nested].slice(0, MOST_RULES);
  return names
    .filter((name) => !name.includes('\n'))
    .map((name) => `/${literal(name)}\n`)
    .join('');
}

const MOST_RULES = 1000;

const literal = (name: string): string => name.replaceAll(/[\\*?[\]]| $/g, (character) => `\\${character}`);
