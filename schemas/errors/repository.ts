import type { Catalogue } from './ralph-error.ts';

/** Why a user's repository cannot be worked on, or a workspace is broken. */
export const repositoryErrors = {
  'not-a-repository': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `${path} is not inside a git repository. Name one with --repo, or make one with git init and a first commit.`,
  },
} as const satisfies Catalogue;
