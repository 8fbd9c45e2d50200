import { durationText } from '../text/duration-text.ts';
import type { Catalogue } from './ralph-error.ts';

/** Why a user's repository cannot be worked on, or a workspace is broken. */
export const repositoryErrors = {
  'not-a-repository': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `${path} is not inside a git repository. Name one with --repo, or make one with git init and a first commit.`,
  },
  'repository-folder-missing': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `There is no folder ${path}. Name one inside a git repository with --repo, or leave --repo out for the current folder.`,
  },
  'repository-folder-is-file': {
    exit: 2,
    text: ({ path }: { path: string }) => `${path} is a file. Name a folder inside a git repository with --repo.`,
  },
  'bare-repository': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `${path} is a bare repository, and a run needs a working tree. Name a clone or a linked working tree of it with --repo (git worktree list shows them).`,
  },
  'repository-not-yours': {
    exit: 2,
    text: ({ path, owner, me, top }: { path: string; owner: number; me: number; top: string }) =>
      `${path} belongs to user ${owner}, and this is user ${me}. Like git, ralph does not work in another user's repository. Run it as user ${owner}. If you trust the repository, allow it: git config --global --add safe.directory ${top}`,
  },
  'repository-without-commits': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `The repository ${path} has no commit yet. A run starts from a commit. Make a first one with git commit.`,
  },
  'no-such-base': {
    exit: 2,
    text: ({ path, ref }: { path: string; ref: string }) =>
      `"${ref}" names no commit in ${path}. Give --base a branch, a tag or a commit that git rev-parse knows there.`,
  },
  'unsupported-object-format': {
    exit: 2,
    text: ({ path, format }: { path: string; format: string }) =>
      `The repository ${path} uses the object format ${format}. Only sha1 is supported. Use a sha1 clone.`,
  },
  'partial-clone': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `The repository ${path} is a partial clone: some of its objects are only at its remote, and a run never fetches. Make a full clone (git clone without --filter), and name it with --repo.`,
  },
  'content-filter': {
    exit: 2,
    text: ({ path, filter, file }: { path: string; filter: string; file: string }) =>
      `In ${path}, the file ${file} uses the content filter "${filter}" (.gitattributes). The engine's git runs no filters, so agents would see and commit wrong content. Filters such as LFS and git-crypt are not supported. Remove the attribute on the branch that --base names.`,
  },
  'unreadable-repository': {
    exit: 2,
    text: ({ path, why }: { path: string; why: string }) =>
      `git cannot read the repository ${path}: ${why}. Repair it (git fsck shows more), or name another one with --repo.`,
  },
  'git-missing': {
    exit: 2,
    text: () => 'git was not found on PATH. Install git 2.34 or newer.',
  },
  'git-timed-out': {
    exit: 1,
    text: ({ command, ms }: { command: string; ms: number }) =>
      `git ${command} did not end within ${durationText(ms)} and was killed.`,
  },
  'git-output-too-large': {
    exit: 1,
    text: ({ command, limit }: { command: string; limit: number }) =>
      `git ${command} printed more than ${limit} bytes and was killed.`,
  },
  'disk-full': {
    exit: 1,
    text: ({ what }: { what: string }) =>
      `No space is left on the disk (or in the quota): ${what}. Free some space. The work of earlier rounds is intact.`,
  },
  'attempt-superseded': {
    exit: 1,
    text: ({ asked, current }: { asked: string; current: string }) =>
      `The work of ${asked} came too late: ${current} has the workspace now, with everything that was left in it. This happens when a worker was cut off from Temporal for a while. The late attempt has ended. If its run has ended too, resume it: ralph resume RUN`,
  },
  'workspace-missing': {
    exit: 1,
    text: ({ path }: { path: string }) =>
      `The workspace ${path} does not exist. A run cannot continue without it. Start a new run from its branch.`,
  },
} as const satisfies Catalogue;
