import { engineGitText, type Identity } from '../git/git.ts';
import { readLooseObject, writeCommit } from '../git/loose-objects.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { objectsFolder } from '../repository/engine-repository.ts';

/** Commit a tree on top of a commit, without a process. Returns the commit, or the parent if that has the same tree. */
export async function commitTree(asked: {
  paths: RunPaths;
  identity: Identity;
  parent: string;
  /** Null: the parent's. */
  tree: string | null;
  evenIfUnchanged: boolean;
  message: string;
}): Promise<string> {
  const { paths, identity, parent, evenIfUnchanged, message } = asked;
  if (!evenIfUnchanged && (asked.tree === null || asked.tree === (await treeOf(paths, parent)))) return parent;
  const tree = asked.tree ?? (await treeOf(paths, parent));
  const who = `${signature(identity)} ${now()}`;
  const head = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n`;
  return writeCommit(objectsFolder(paths), `${head}\n${message}`);
}

const MAX_COMMIT_BYTES = 1024 * 1024;

async function treeOf(paths: RunPaths, commit: string): Promise<string> {
  const loose = await readLooseObject(objectsFolder(paths), commit, { maxBytes: MAX_COMMIT_BYTES });
  const tree = /^tree ([0-9a-f]{40})\n/.exec(loose?.bytes?.toString('latin1') ?? '')?.[1];
  return tree ?? engineGitText({ gitDir: paths.repository, args: ['rev-parse', '--verify', `${commit}^{tree}`] });
}

/** As git writes it: nothing in it ends the line or the name, and a name is never empty. */
const signature = ({ name, email }: Identity): string => `${clean(name) || 'ralph'} <${clean(email)}>`;

const clean = (text: string): string => text.replaceAll(/[<>\n\0]/g, '').replaceAll(CRUD, '');

/** What git takes off both ends of a name. */
const CRUD = /^[\0- .,:;<>"\\']+|[\0- .,:;<>"\\']+$/g;

/** Seconds since 1970, and this machine's distance from UTC as git writes it (+0130). */
function now(): string {
  const minutes = -new Date().getTimezoneOffset();
  const size = Math.abs(minutes);
  const offset = Math.floor(size / 60) * 100 + (size % 60);
  return `${Math.floor(Date.now() / 1000)} ${minutes < 0 ? '-' : '+'}${String(offset).padStart(4, '0')}`;
}
