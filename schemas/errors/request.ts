import type { Catalogue } from './ralph-error.ts';

/** What is wrong with a request, found before anything starts. */
export const requestErrors = {
  'objective-too-long': {
    exit: 2,
    text: ({ chars, limit }: { chars: number; limit: number }) =>
      `The objective holds ${chars} characters; at most ${limit} are allowed. Put the long part into a file of the repository and name that file in the objective.`,
  },
  'objective-empty': { exit: 2, text: () => 'The objective is empty. Say what the run is to reach.' },
  'max-rounds-over-ceiling': {
    exit: 2,
    text: ({ asked, ceiling }: { asked: number; ceiling: number }) =>
      `--max-rounds ${asked} is above this deployment's ceiling of ${ceiling}. Ask for at most ${ceiling}, or raise "maxRounds" in config.json of RALPH_HOME.`,
  },
} as const satisfies Catalogue;
