import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunRequest } from '../../schemas/run/run.ts';
import { errorCode } from '../../system/error-code.ts';
import { objectsFolder } from '../repository/engine-repository.ts';
import { readUntrustedFile } from '../files/read-untrusted-file.ts';
import type { Identity } from '../git/git.ts';
import { setupMadeRules } from '../tree/setup-made.ts';
import { makeGitDir } from '../repository/make-git-dir.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** The branch that agents find themselves on. */
const AGENT_BRANCH = 'ralph';

/**
 * Make a repository for agents and gates to use, at `commit`: it borrows the engine's objects and knows the user's tags.
 * Its index is the caller's to add. Starts no process.
 */
export async function makeThrowawayGit(wanted: {
  paths: RunPaths;
  request: RunRequest;
  folder: string;
  commit: string;
}): Promise<void> {
  const { paths, request, folder, commit } = wanted;
  makeGitDir({ folder, branch: AGENT_BRANCH, commit, config: agentConfig(request) });
  writeFileSync(join(folder, 'info', 'exclude'), `${request.ignore}${await setupMadeRules(paths)}`);
  writeFileSync(join(folder, 'objects', 'info', 'alternates'), `${objectsFolder(paths)}\n`);
  writeFileSync(join(folder, MARK), request.runId);
  for (const name of ['packed-refs', 'shallow']) copyIfAny(join(paths.repository, name), join(folder, name));
}

/** A file of ours in a repository that the engine made. git does not know it. */
const MARK = 'ralph-run';
const MAX_MARK_BYTES = 256;

/** Whether a repository is one that the engine made for a run, or a copy of it, whatever an agent did in it. */
export function isOfRun(gitDir: string, paths: RunPaths): boolean {
  const found = readUntrustedFile({ file: join(gitDir, MARK), root: gitDir, maxBytes: MAX_MARK_BYTES });
  return found.kind === 'read' && found.bytes.toString('utf8') === basename(paths.root);
}

/** Who the agent commits as, and nothing that starts a process. */
function agentConfig({ identity }: RunRequest): string {
  return [
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true',
    `[user]\n\tname = ${quoted(identity.name)}\n\temail = ${quoted(identity.email)}`,
    '[commit]\n\tgpgSign = false\n[tag]\n\tgpgSign = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n',
  ].join('\n');
}

const quoted = (value: Identity['name']): string =>
  `"${value.replaceAll(/[\p{Cc}]/gu, ' ').replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;

function copyIfAny(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
