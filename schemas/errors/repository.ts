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
      `${path} is a bare repository: it has no working tree that a run could be for. Name a clone of it with --repo.`,
  },
  'repository-without-commits': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `The repository ${path} has no commit yet. A run starts from a commit: make a first one with git commit.`,
  },
  'no-such-base': {
    exit: 2,
    text: ({ path, ref }: { path: string; ref: string }) =>
      `"${ref}" names no commit in ${path}. Give --base a branch, a tag or a commit that git rev-parse knows there.`,
  },
  'unsupported-object-format': {
    exit: 2,
    text: ({ path, format }: { path: string; format: string }) =>
      `The repository ${path} keeps its objects as ${format}; only sha1 is supported. Use a clone in sha1.`,
  },
  'partial-clone': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `The repository ${path} is a partial clone: some of its objects are still with its remote, and a run never fetches. Make a full clone (git clone without --filter) and name it with --repo.`,
  },
  'content-filter': {
    exit: 2,
    text: ({ path, filter, file }: { path: string; filter: string; file: string }) =>
      `In ${path} the file ${file} passes through the content filter "${filter}" (.gitattributes). A run's git runs no filters, so what agents see and commit would be wrong. Filters such as LFS and git-crypt are not supported: remove the attribute on the branch that --base names.`,
  },
  'unreadable-repository': {
    exit: 2,
    text: ({ path, why }: { path: string; why: string }) =>
      `git cannot read the repository ${path}: ${why}. Mend it (git fsck tells more), or name another with --repo.`,
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
      `No space is left on the disk (or in the quota): ${what}. Make room; what earlier rounds left is intact.`,
  },
  'attempt-superseded': {
    exit: 1,
    text: ({ asked, current }: { asked: string; current: string }) =>
      `The work of ${asked} came too late: ${current} has the workspace, and goes on with all that was left in it. This happens where a worker was cut off from Temporal for a while. The late attempt is over; if its run is over too, go on from it: ralph resume RUN`,
  },
  'workspace-missing': {
    exit: 1,
    text: ({ path }: { path: string }) =>
      `The workspace ${path} is gone or was never made. A run cannot go on without it; start a new one from its branch.`,
  },
} as const satisfies Catalogue;
