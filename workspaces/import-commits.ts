import { git, GitError } from './git.ts';
import { cleanObjects } from './quarantine.ts';
import type { AgentRefs } from './read-agent-refs.ts';
import type { RunPaths } from './run-paths.ts';
import { transferObjects } from './transfer-objects.ts';

/** What is taken over of the commits that an agent made. */
export interface Imported {
  /** The commit that the checkpoint goes on: the agent's last one, or the round's base. */
  readonly parent: string;
  /** Further refs to keep, by their name below `refs/`. */
  readonly kept: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/**
 * Bring an agent's commits, other branches and stash into the engine's repository, every object checked. The agent's
 * line of history is taken over where it goes on from `base`; where it does not, or is broken, the tree alone counts.
 */
export async function importCommits(asked: {
  paths: RunPaths;
  base: string;
  left: AgentRefs;
  scratch: string;
}): Promise<Imported> {
  const { paths, base, left, scratch } = asked;
  const others = [...left.refs].filter(([, oid]) => oid !== base && oid !== left.head);
  const wanted = new Set(others.map(([, oid]) => oid));
  if (left.head !== null && left.head !== base) wanted.add(left.head);
  const here = wanted.size === 0 ? wanted : await bringAll({ paths, base, wanted: [...wanted], scratch });

  const line = await lineOfHistory({ paths, base, left, here });
  const kept: Record<string, string> = {};
  for (const [name, oid] of others) if (here.has(oid)) kept[name.slice('refs/'.length)] = oid;
  if (left.head !== null && line.parent !== left.head && here.has(left.head)) kept['head'] = left.head;
  const broken = others.filter(([, oid]) => !here.has(oid)).map(([name]) => name);
  const notes = broken.length === 0 ? [] : [`These refs of the agent were broken and are lost: ${broken.join(', ')}.`];
  return { parent: line.parent, kept, notes: [...(line.note === null ? [] : [line.note]), ...notes] };
}

async function lineOfHistory(asked: {
  paths: RunPaths;
  base: string;
  left: AgentRefs;
  here: ReadonlySet<string>;
}): Promise<{ parent: string; note: string | null }> {
  const { paths, base, left, here } = asked;
  const { head, unfinished } = left;
  const onBase = (why: string): { parent: string; note: string } => ({
    parent: base,
    note: `${why}; the files in the tree were taken as they were.`,
  });
  if (head === null) return onBase('HEAD in tree/.git was broken');
  if (unfinished === 'rebase') return onBase('A rebase was left half done');
  if (head !== base && !here.has(head)) return onBase("The agent's commits were incomplete or broken");
  if (head !== base && !(await isAncestor(paths, base, head))) {
    return onBase("The agent's history no longer went on from the round's base");
  }
  return {
    parent: head,
    note: unfinished === null ? null : `A ${unfinished} was left half done; its files were committed as they were.`,
  };
}

async function isAncestor(paths: RunPaths, older: string, newer: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', older, newer];
  return (await git({ gitDir: paths.repository, args, okCodes: [1] })).code === 0;
}

/** Which of the wanted commits arrived whole. One broken ref must not cost the others: then each goes by itself. */
async function bringAll(asked: {
  paths: RunPaths;
  base: string;
  wanted: readonly string[];
  scratch: string;
}): Promise<ReadonlySet<string>> {
  const objects = await cleanObjects(asked.paths);
  if (await bring({ ...asked, objects })) return new Set(asked.wanted);
  const here = new Set<string>();
  if (asked.wanted.length === 1) return here;
  for (const oid of asked.wanted) if (await bring({ ...asked, objects, wanted: [oid] })) here.add(oid);
  return here;
}

async function bring(asked: {
  paths: RunPaths;
  base: string;
  wanted: readonly string[];
  scratch: string;
  objects: string | null;
}): Promise<boolean> {
  const { paths, base, wanted, scratch, objects } = asked;
  const engine = { gitDir: paths.repository };
  try {
    await transferObjects({
      from: objects === null ? engine : { ...engine, alsoObjects: objects },
      to: engine,
      commits: wanted,
      known: [base],
      scratch,
    });
    // What arrived hangs together without the agent's store: an object under a false name is found out here.
    await git({ ...engine, args: ['rev-list', '--objects', '--quiet', ...wanted, '--not', base] });
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}
