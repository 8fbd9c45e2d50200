import type { Catalogue } from './ralph-error.ts';

/** What is wrong with a request, found before anything starts. */
export const requestErrors = {
  'objective-source': {
    exit: 2,
    text: () =>
      'A run has one objective. Give it as ralph run "<objective>", with --objective-file FILE, or with - to read stdin.',
  },
  'objective-too-long': {
    exit: 2,
    text: ({ size, limit }: { size: string; limit: number }) =>
      `The objective holds ${size}; at most ${limit.toLocaleString('en-US')} characters are allowed. Put the long part into a file of the repository and name that file in the objective.`,
  },
  'objective-empty': { exit: 2, text: () => 'The objective is empty. Say what the run is to reach.' },
  'objective-not-utf8': {
    exit: 2,
    text: ({ source }: { source: string }) =>
      `The objective from ${source} is not UTF-8 text. Save it as UTF-8 and try again.`,
  },
  'objective-unreadable': {
    exit: 2,
    text: ({ file, reason }: { file: string; reason: string }) =>
      `The objective cannot be read from ${file}: ${reason}. Name a readable file, or use - to read stdin.`,
  },
  'run-id-invalid': {
    exit: 2,
    text: ({ runId }: { runId: string }) =>
      `"${runId}" cannot be a run's id: it has 1 to 64 of the characters a-z, 0-9 and -. Choose another --id, or leave it out.`,
  },
  'run-id-in-use': {
    exit: 2,
    text: ({ runId }: { runId: string }) =>
      `There is a run "${runId}" already; \`ralph show ${runId}\` shows it. Choose another --id, or leave it out.`,
  },
  'model-invalid': {
    exit: 2,
    text: ({ option, model }: { option: string; model: string }) =>
      `${option} "${model}" cannot be a model's name: one word that starts with a letter or a digit.`,
  },
  'agent-command-missing': {
    exit: 2,
    text: ({ option, needed }: { option: string; needed: string }) =>
      `${option} command needs ${needed} "<shell command>": the command that does the work.`,
  },
  'agent-command-unexpected': {
    exit: 2,
    text: ({ option, agent }: { option: string; agent: string }) =>
      `${option} is for a command agent, not with ${agent}. Leave one of the two out.`,
  },
  'agent-command-model': {
    exit: 2,
    text: ({ option }: { option: string }) => `A command agent has no ${option}: name the model in its command.`,
  },
  'max-rounds-over-ceiling': {
    exit: 2,
    text: ({ asked, ceiling }: { asked: number; ceiling: number }) =>
      `${asked} rounds are above this deployment's ceiling of ${ceiling}. Ask for at most ${ceiling} with --max-rounds, or raise "maxRounds" in config.json of RALPH_HOME.`,
  },
  'budget-over-ceiling': {
    exit: 2,
    text: ({ option, key, asked, ceiling }: { option: string; key: string; asked: string; ceiling: string }) =>
      `A budget of ${asked} is above this deployment's ceiling of ${ceiling}. Ask for at most that with ${option}, or raise "${key}" in config.json of RALPH_HOME.`,
  },
  'raise-over-ceiling': {
    exit: 2,
    /** Budgets in words. `left`: what can be added; null: nothing. */
    text: (facts: {
      option: string;
      key: string;
      has: string;
      asked: string;
      ceiling: string;
      left: string | null;
    }) => {
      const { option, key, has, asked, ceiling, left } = facts;
      const out = left === null ? 'Nothing can be added' : `Add at most ${left}`;
      return `With ${option} the run would have ${asked}, above this deployment's ceiling of ${ceiling}; it has ${has}. ${out}, or raise "${key}" in config.json of RALPH_HOME first.`;
    },
  },
  'protect-invalid': {
    exit: 2,
    text: ({ glob, why }: { glob: string; why: string }) =>
      `--protect "${glob}" names no paths: it ${why}. Write globs as git has them, from the top folder: "tests/**", "package.json", "**/*.lock"; several are parted by commas.`,
  },
  'option-alone': {
    exit: 2,
    text: ({ option, needed }: { option: string; needed: string }) =>
      `${option} says nothing without ${needed}. Give ${needed} as well, or leave ${option} out.`,
  },
  'max-handoff-chars-over-ceiling': {
    exit: 2,
    text: ({ asked, ceiling }: { asked: number; ceiling: number }) =>
      `--max-handoff-chars ${asked} is above the limit of ${ceiling}. Ask for at most ${ceiling}.`,
  },
  'attempts-over-ceiling': {
    exit: 2,
    text: ({ option, asked, ceiling }: { option: string; asked: number; ceiling: number }) =>
      `${option} ${asked} is above the limit of ${ceiling}. Ask for at most ${ceiling}.`,
  },
  'repository-defaults-unreadable': {
    exit: 2,
    text: ({ file, reason }: { file: string; reason: string }) =>
      `${file} cannot be read: ${reason}. Mend it, or remove it to use the built-in defaults.`,
  },
  'repository-defaults-invalid': {
    exit: 2,
    text: ({ file, problems }: { file: string; problems: readonly string[] }) =>
      `${file} is not valid: ${problems.join('; ')}. Mend it; the keys are listed in schemas/ralph.schema.json of durable-ralph.`,
  },
  'option-empty': {
    exit: 2,
    text: ({ option }: { option: string }) =>
      `${option} is given with nothing in it. Say what it is to be, or leave it out.`,
  },
  'note-too-long': {
    exit: 2,
    text: ({ chars, limit }: { chars: number; limit: number }) =>
      `--note holds ${chars.toLocaleString('en-US')} characters; at most ${limit.toLocaleString('en-US')} are allowed, and it is never cut. Put the long part into a file of the repository's branch and name that file in the note.`,
  },
  'options-contradict': {
    exit: 2,
    text: ({ options }: { options: readonly string[] }) =>
      `${options.join(' and ')} exclude each other. Leave one of them out.`,
  },
  'readable-missing': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `--read ${path} cannot be opened for the agent: there is no such file or folder. Name one that is there, or leave it out.`,
  },
  'repository-gates-unsandboxed': {
    exit: 2,
    text: ({ gates }: { gates: readonly string[] }) =>
      `ralph.json of the repository asks to run ${gates.map((gate) => `\`${gate}\``).join(', ')} as gates, and --sandbox full-access would run them with all your rights. Read them, then say yes by giving each yourself with --gate, or leave them out with --no-gate.`,
  },
  'repository-setup-unsandboxed': {
    exit: 2,
    text: ({ setup }: { setup: string }) =>
      `ralph.json of the repository asks to run \`${setup}\`, and --sandbox full-access would run it with all your rights. Read it, then say yes by giving it yourself with --setup, or leave it out with --no-setup.`,
  },
} as const satisfies Catalogue;
