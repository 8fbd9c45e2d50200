import { RalphError } from '../../schemas/errors/index.ts';
import { engineGit, GitError, engineGitText } from '../git/git.ts';
import { cleanObjects } from './quarantine.ts';
import type { AgentRefs } from './read-agent-refs.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { checksSaid } from '../tree/rejected-files.ts';
import { transferObjects } from '../git/transfer-objects.ts';

/** A cancel waits while commits are brought in. */
const BRING_MS = 120_000;
/** As large as a checkpoint may be in all. */
const MAX_FILE = '2g';
const TOO_LARGE = "The agent's commits were too large (a file over 2 GiB, or more than can be brought over or listed)";

/** The part of an agent's commits that is taken over. */
export interface CommitImport {
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
}): Promise<CommitImport> {
  const { paths, base, left, scratch } = asked;
  const others = [...left.refs].filter(([, oid]) => oid !== base && oid !== left.head);
  const wanted = new Set(others.map(([, oid]) => oid));
  if (left.head !== null && left.head !== base) wanted.add(left.head);
  const brought = await bringAll({ paths, base, wanted: [...wanted], scratch });
  const here = new Set([...brought].filter(([, { how }]) => how === 'whole').map(([oid]) => oid));

  const line = await lineOfHistory({ paths, base, left, brought });
  const kept: Record<string, string> = {};
  for (const [name, oid] of others) if (here.has(oid)) kept[name.slice('refs/'.length)] = oid;
  if (left.head !== null && line.parent !== left.head && here.has(left.head)) kept['head'] = left.head;
  const broken = others.filter(([, oid]) => !here.has(oid)).map(([name]) => name);
  const notes =
    broken.length === 0
      ? []
      : [`These refs of the agent were broken or too large, and are lost: ${broken.join(', ')}.`];
  return { parent: line.parent, kept, notes: [...(line.note === null ? [] : [line.note]), ...notes] };
}

async function lineOfHistory(asked: {
  paths: RunPaths;
  base: string;
  left: AgentRefs;
  brought: ReadonlyMap<string, Arrival>;
}): Promise<{ parent: string; note: string | null }> {
  const { paths, base, left, brought } = asked;
  const { head, unfinished } = left;
  const onBase = (why: string): { parent: string; note: string } => ({
    parent: base,
    note: `${why}; the files in the tree were taken as they were.`,
  });
  if (head === null) return onBase('HEAD in tree/.git was broken');
  if (unfinished === 'rebase') return onBase('A rebase was left half done');
  const arrival: Arrival = head === base ? { how: 'whole' } : (brought.get(head) ?? { how: 'broken', why: null });
  switch (arrival.how) {
    case 'whole':
      break;
    case 'too-large':
      return onBase(TOO_LARGE);
    case 'broken':
      return onBase(
        arrival.why === null
          ? "The agent's commits were incomplete or broken"
          : `git's own checks rejected the agent's commits (${arrival.why})`,
      );
    default:
      return arrival satisfies never;
  }
  if (head !== base && !(await isAncestor(paths, base, head))) {
    return onBase("The agent's history no longer went on from the round's base");
  }
  if (head !== base && !(await canBeListed(paths, head))) return onBase(TOO_LARGE);
  return {
    parent: head,
    note: unfinished === null ? null : `A ${unfinished} was left half done; its files were committed as they were.`,
  };
}

/** A few small objects can unfold to more files than any index, or anybody's checkout, can hold. */
async function canBeListed(paths: RunPaths, commit: string): Promise<boolean> {
  try {
    await engineGit({
      gitDir: paths.repository,
      args: ['ls-tree', '-r', '-z', '--name-only', commit],
      timeoutMs: BRING_MS,
    });
    return true;
  } catch (error) {
    if (error instanceof RalphError && LONG.has(error.code)) return false;
    throw error;
  }
}

const LONG: ReadonlySet<string> = new Set(['git-timed-out', 'git-output-too-large']);

async function isAncestor(paths: RunPaths, older: string, newer: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', older, newer];
  return (await engineGit({ gitDir: paths.repository, args, okCodes: [1] })).code === 0;
}

/** `why`: what git's checks found, if it was they that failed. */
type Arrival = { readonly how: 'whole' | 'too-large' } | { readonly how: 'broken'; readonly why: string | null };

/** How each of the wanted commits arrived. One broken ref must not cost the others: then each goes by itself. */
async function bringAll(asked: {
  paths: RunPaths;
  base: string;
  wanted: readonly string[];
  scratch: string;
}): Promise<ReadonlyMap<string, Arrival>> {
  const { paths, wanted } = asked;
  if (wanted.length === 0) return new Map();
  const bringing = { ...asked, objects: await cleanObjects(paths), until: Date.now() + BRING_MS };
  const all = await bring(bringing);
  if (all.how === 'whole' || wanted.length === 1) return new Map(wanted.map((oid) => [oid, all]));
  const brought = new Map<string, Arrival>();
  for (const oid of wanted) brought.set(oid, await bring({ ...bringing, wanted: [oid] }));
  return brought;
}

async function bring(asked: {
  paths: RunPaths;
  base: string;
  wanted: readonly string[];
  scratch: string;
  objects: string | null;
  until: number;
}): Promise<Arrival> {
  const { paths, base, wanted, scratch, objects, until } = asked;
  const engine = { gitDir: paths.repository };
  const from = objects === null ? engine : { ...engine, alsoObjects: objects };
  const walk = ['rev-list', '--objects', '--quiet', ...wanted, '--not', base];
  const sizes = [`--filter=blob:limit=${MAX_FILE}`, '--filter-print-omitted'];
  const left = (): number => Math.max(1, until - Date.now());
  try {
    const omitted = await engineGitText({ ...from, args: [...walk, ...sizes], timeoutMs: left() });
    if (omitted !== '') return { how: 'too-large' };
    await transferObjects({
      from,
      to: { engine: paths.repository },
      commits: wanted,
      known: [base],
      strict: true,
      scratch,
      timeoutMs: left(),
    });
    // What arrived must be complete without the agent's store: this also finds objects under a false name.
    await engineGit({ ...engine, args: walk, timeoutMs: left() });
    return { how: 'whole' };
  } catch (error) {
    if (error instanceof GitError) return { how: 'broken', why: checksSaid(error.stderr)[0]?.why ?? null };
    if (error instanceof RalphError && error.code === 'git-timed-out') return { how: 'too-large' };
    throw error;
  }
}
