import type { Catalogue } from './ralph-error.ts';

/** What can be wrong with a run that is asked for. */
export const runErrors = {
  'no-such-run': {
    exit: 3,
    text: ({ runId, nearest }: { runId: string; nearest: readonly string[] }) =>
      `There is no run "${runId}".` +
      (nearest.length > 0 ? ` Near it: ${nearest.join(', ')}.` : '') +
      ' `ralph list` shows all.',
  },
  'engine-mismatch': {
    exit: 1,
    text: ({ details }: { details: string }) =>
      `The worker does not understand what it was asked to do: ${details}. Worker and command line are of different versions: run \`ralph down\`, then \`ralph up\`.`,
  },
} as const satisfies Catalogue;
