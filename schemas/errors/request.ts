import type { Catalogue } from './ralph-error.ts';

/** What is wrong with a request, found before anything starts. */
export const requestErrors = {
  'objective-source': {
    exit: 2,
    text: () =>
      'A run has one objective. Give it as ralph run "<objective>", with --objective-file FILE, or as - to read it from stdin.',
  },
  'objective-too-long': {
    exit: 2,
    text: ({ size, limit }: { size: string; limit: number }) =>
      `The objective has ${size}. The limit is ${limit.toLocaleString('en-US')} characters. Put the long part into a file in the repository, and name that file in the objective.`,
  },
  'objective-empty': { exit: 2, text: () => 'The objective is empty. Say what the run must achieve.' },
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
      `"${runId}" is not a valid run id. A run id has 1 to 64 characters: a-z, 0-9 and -. Choose another --id, or leave it out.`,
  },
  'run-id-in-use': {
    exit: 2,
    text: ({ runId }: { runId: string }) =>
      `Run "${runId}" already exists; \`ralph show ${runId}\` shows it. Choose another --id, or leave it out.`,
  },
  'model-invalid': {
    exit: 2,
    text: ({ option, model }: { option: string; model: string }) =>
      `${option} "${model}" is not a valid model name. A model name is one word that starts with a letter or a digit.`,
  },
  'agent-command-missing': {
    exit: 2,
    text: ({ option, needed }: { option: string; needed: string }) =>
      `${option} command needs ${needed} "<shell command>": the command that does the work.`,
  },
  'agent-command-unexpected': {
    exit: 2,
    text: ({ option, agent }: { option: string; agent: string }) =>
      `${option} works only with a command agent, not with ${agent}. Leave one of them out.`,
  },
  'agent-command-model': {
    exit: 2,
    text: ({ option }: { option: string }) =>
      `${option} does not work with a command agent. Name the model in its command.`,
  },
  'max-rounds-over-ceiling': {
    exit: 2,
    text: ({ asked, ceiling }: { asked: number; ceiling: number }) =>
      `${asked} rounds exceed this machine's limit of ${ceiling}. Ask for at most ${ceiling} with --max-rounds, or raise "maxRounds" in config.json of RALPH_HOME.`,
  },
  'budget-over-ceiling': {
    exit: 2,
    text: ({ option, key, asked, ceiling }: { option: string; key: string; asked: string; ceiling: string }) =>
      `A budget of ${asked} exceeds this machine's limit of ${ceiling}. Ask for at most that with ${option}, or raise "${key}" in config.json of RALPH_HOME.`,
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
      return `With ${option} the run would have ${asked}. This machine's limit is ${ceiling}, and the run has ${has} now. ${out}, or raise "${key}" in config.json of RALPH_HOME first.`;
    },
  },
  'protect-invalid': {
    exit: 2,
    text: ({ glob, why }: { glob: string; why: string }) =>
      `--protect "${glob}" matches no paths: it ${why}. Write git globs, relative to the top folder: "tests/**", "package.json", "**/*.lock". Separate several with commas.`,
  },
  'option-alone': {
    exit: 2,
    text: ({ option, needed }: { option: string; needed: string }) =>
      `${option} has no effect without ${needed}. Add ${needed}, or leave ${option} out.`,
  },
  'max-handoff-chars-over-ceiling': {
    exit: 2,
    text: ({ asked, ceiling }: { asked: number; ceiling: number }) =>
      `--max-handoff-chars ${asked} exceeds the limit of ${ceiling}. Ask for at most ${ceiling}.`,
  },
  'attempts-over-ceiling': {
    exit: 2,
    text: ({ option, asked, ceiling }: { option: string; asked: number; ceiling: number }) =>
      `${option} ${asked} exceeds the limit of ${ceiling}. Ask for at most ${ceiling}.`,
  },
  'repository-defaults-unreadable': {
    exit: 2,
    text: ({ file, reason }: { file: string; reason: string }) =>
      `${file} cannot be read: ${reason}. Fix it, or remove it to use the built-in defaults.`,
  },
  'repository-defaults-invalid': {
    exit: 2,
    text: ({ file, problems }: { file: string; problems: readonly string[] }) =>
      `${file} is not valid: ${problems.join('; ')}. Fix it. durable-ralph's schemas/ralph.schema.json lists the keys.`,
  },
  'search-text-empty': {
    exit: 2,
    text: () => 'The text to search for is empty. Give at least one character.',
  },
  'search-pattern-invalid': {
    exit: 2,
    text: ({ reason }: { reason: string }) =>
      `The regular expression is not valid: ${reason}. It is JavaScript's, with the flags m and u. Leave out --regex to search for the text as it is.`,
  },
  'since-invalid': {
    exit: 2,
    text: ({ since }: { since: string }) =>
      `--since "${since}" is neither a duration nor a date. Give how long ago, such as 90m or 7d, or a date such as 2026-11-30 or 2026-11-30T09:00.`,
  },
  'option-empty': {
    exit: 2,
    text: ({ option }: { option: string }) => `${option} is empty. Give it a value, or leave it out.`,
  },
  'note-too-long': {
    exit: 2,
    text: ({ chars, limit }: { chars: number; limit: number }) =>
      `--note has ${chars.toLocaleString('en-US')} characters. The limit is ${limit.toLocaleString('en-US')}, and a note is never cut. Put the long part into a file on the run's branch, and name that file in the note.`,
  },
  'options-contradict': {
    exit: 2,
    text: ({ options }: { options: readonly string[] }) =>
      `${options.join(' and ')} cannot be combined. Leave one of them out.`,
  },
  'readable-missing': {
    exit: 2,
    text: ({ path }: { path: string }) =>
      `--read ${path}: there is no such file or folder. Name one that exists, or leave it out.`,
  },
  'repository-gates-unsandboxed': {
    exit: 2,
    text: ({ gates }: { gates: readonly string[] }) =>
      `The repository's ralph.json wants to run ${gates.map((gate) => `\`${gate}\``).join(', ')} as gates. With --sandbox full-access they would run with all your rights. Read them first. To allow them, give each one with --gate; to skip them, use --no-gate.`,
  },
  'repository-setup-unsandboxed': {
    exit: 2,
    text: ({ setup }: { setup: string }) =>
      `The repository's ralph.json wants to run \`${setup}\` as setup. With --sandbox full-access it would run with all your rights. Read it first. To allow it, give it with --setup; to skip it, use --no-setup.`,
  },
} as const satisfies Catalogue;
