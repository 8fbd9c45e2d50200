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
} as const satisfies Catalogue;
