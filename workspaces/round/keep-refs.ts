import { shellWord } from '../../system/shell-word.ts';
import { GitError, type Identity } from '../git/git.ts';
import { updateRefs } from '../git/update-refs.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** A ref of an agent's, as the engine keeps it. */
interface KeptRef {
  /** As the agent called it, below `refs/`. */
  readonly asked: string;
  /** Its full name here. */
  readonly name: string;
  readonly oid: string;
}

/**
 * Keep an agent's other branches, its tags and its stash in the engine's repository, below `space`. A name that git
 * cannot have beside the others (`x` and `x/y`), or on this disk, is replaced, and so is one that holds a secret. The
 * notes name what cannot be kept at all; that never prevents the checkpoint. Safe to call again.
 */
export async function keepRefs(asked: {
  paths: RunPaths;
  identity: Identity;
  space: string;
  refs: Readonly<Record<string, string>>;
  redact: (text: string) => string;
}): Promise<{ any: boolean; notes: string[] }> {
  const { paths, identity, space, redact } = asked;
  const wanted = Object.entries(asked.refs).map(([name, oid]) => ({ asked: name, oid }));
  if (wanted.length === 0) return { any: false, notes: [] };
  const free = freeNames();
  const all = wanted.map(({ asked: name, oid }, at): KeptRef => {
    const shown = redact(name) === name ? name : `redacted/${at}`;
    return { asked: name, name: `${space}/${free(shown, at)}`, oid };
  });
  const move = (refs: readonly KeptRef[]): Promise<boolean> => moved(paths, identity, refs);

  const kept: KeptRef[] = [];
  const lost: KeptRef[] = [];
  if (await move(all)) kept.push(...all);
  else {
    for (const [at, ref] of all.entries()) {
      const renamed = { ...ref, name: `${space}/${free(`renamed-${at}`, at)}` };
      if (await move([ref])) kept.push(ref);
      else if (await move([renamed])) kept.push(renamed);
      else lost.push(ref);
    }
  }
  const names = kept.map(({ name }) => name);
  const renamed = kept.filter((ref) => ref.name !== `${space}/${ref.asked}` && redact(ref.asked) === ref.asked);
  return {
    any: kept.length > 0,
    notes: [
      ...said(
        names,
        (list) =>
          `Other branches and stashes of the agent are kept: git fetch ${[paths.repository, ...list].map(shellWord).join(' ')}`,
      ),
      ...said(
        renamed,
        (refs) => `Kept under another name: ${refs.map(({ asked: name, name: as }) => `${name} as ${as}`).join(', ')}.`,
      ),
      ...said(
        lost,
        (refs) => `These refs of the agent could not be kept: ${refs.map(({ asked: name }) => name).join(', ')}.`,
      ),
    ],
  };
}

const said = <T>(list: readonly T[], inWords: (list: readonly T[]) => string): string[] =>
  list.length === 0 ? [] : [inWords(list)];

async function moved(paths: RunPaths, identity: Identity, refs: readonly KeptRef[]): Promise<boolean> {
  try {
    await updateRefs({ paths, identity, moves: refs.map(({ name, oid }) => ({ name, to: oid, from: null })) });
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** Hands out ref names, none of which is a folder of another: the wanted name, or one in its place. */
function freeNames(): (name: string, number: number) => string {
  const names = new Set<string>();
  const folders = new Set<string>();
  const isTaken = (name: string): boolean =>
    names.has(name) || folders.has(name) || foldersOf(name).some((folder) => names.has(folder));
  return (name, number) => {
    let free = name;
    for (let again = 0; isTaken(free); again += 1) free = `renamed-${number}${again === 0 ? '' : `-${again}`}`;
    names.add(free);
    for (const folder of foldersOf(free)) folders.add(folder);
    return free;
  };
}

const foldersOf = (name: string): string[] =>
  name.split('/').flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')]));
