import path from 'node:path';
import { type Command, Option } from 'commander';
import type { RunOptions } from '../../client/run-options.ts';
import { ProviderName } from '../../schemas/agent.ts';
import { SandboxLevel } from '../../schemas/sandbox.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { milliseconds, wholeNumber } from '../arguments/numbers.ts';

/** Options of `ralph run` as they stand on the command line. */
export interface RunFlags {
  readonly objectiveFile?: string;
  readonly repo?: string;
  readonly base?: string;
  readonly agent?: ProviderName;
  readonly model?: string;
  readonly command?: string;
  readonly maxRounds?: number;
  readonly roundTimeout?: number;
  readonly idleTimeout?: number;
  readonly roundAttempts?: number;
  readonly reportAttempts?: number;
  readonly maxHandoffChars?: number;
  readonly grace?: number;
  readonly sandbox?: SandboxLevel;
  readonly network?: boolean;
  readonly read?: readonly string[];
  readonly setup?: string | false;
  readonly id?: string;
  readonly detach?: boolean;
  readonly json?: boolean;
}

const gather = (value: string, all: readonly string[] | undefined): string[] => [...(all ?? []), value];

const agents = ProviderName.options;

/** Declare the options. Where one is absent, the repository's ralph.json decides, then the built-in default. */
export function addRunFlags(command: Command): Command {
  return refuseBoth(command, ['network', 'setup'])
    .optionsGroup('What to work on:')
    .option('--objective-file <file>', 'read the objective from a file; - is stdin')
    .option('-C, --repo <folder>', 'the git repository (default: the current folder)')
    .option('--base <ref>', 'branch, tag or commit to begin from (default: HEAD)')
    .option('--setup <command>', 'run once in the agent\'s sandbox when the workspace is made, say "npm ci"')
    .option('--no-setup', "no setup, whatever the repository's ralph.json says")
    .optionsGroup('Who does it:')
    .addOption(new Option('--agent <name>', 'the agent (default: claude-code)').choices(agents))
    .option('--model <name>', "the agent's model (default: its own)")
    .option('--command <command>', 'shell command of a "command" agent: prompt on stdin, report to $RALPH_REPORT_FILE')
    .addOption(
      new Option('--sandbox <level>', 'what a round may write (default: workspace-write)').choices(
        SandboxLevel.options,
      ),
    )
    .option('--network', "give rounds a network, whatever the repository's ralph.json says")
    .option('--no-network', 'give rounds no network')
    .option('--read <path>', 'let rounds read a path that the sandbox hides; may be repeated', gather)
    .optionsGroup('Limits:')
    .option('--max-rounds <n>', 'most rounds (default: 256)', wholeNumber)
    .option('--round-timeout <duration>', 'longest duration of a round (default: 1h)', milliseconds)
    .option('--idle-timeout <duration>', 'longest silence of an agent that does nothing (default: 20m)', milliseconds)
    .option('--round-attempts <n>', 'agents started for a round that crash or time out (default: 3)', wholeNumber)
    .option('--report-attempts <n>', 'agents started for a round that report badly (default: 2)', wholeNumber)
    .option('--max-handoff-chars <n>', "most characters of a round's report (default: 16384)", wholeNumber)
    .option('--grace <duration>', 'from SIGTERM to SIGKILL (default: 10s)', milliseconds)
    .optionsGroup('How to follow it:')
    .option('--id <id>', 'the id of the run: 1 to 64 of a-z, 0-9 and - (default: made up)')
    .option('-d, --detach', 'start the run and return')
    .option('--json', 'print one JSON document on stdout, progress on stderr');
}

/** Of an option and its `--no-` form commander takes the last; here they exclude each other. */
function refuseBoth(command: Command, names: readonly string[]): Command {
  const seen = new Set<string>();
  const pairs = names.map((name) => [name, `no-${name}`]);
  for (const name of pairs.flat()) command.on(`option:${name}`, () => void seen.add(name));
  return command.hook('preAction', () => {
    const both = pairs.find((pair) => pair.every((name) => seen.has(name)));
    if (both !== undefined) throw ralphError('options-contradict', { options: both.map((name) => `--${name}`) });
  });
}

/** An empty text is what a script's unset variable makes, and never meant. */
function refuseEmpty({ repo, read, setup }: RunFlags): void {
  const given = { '--repo': [repo], '--setup': [setup], '--read': read ?? [] };
  for (const [option, values] of Object.entries(given)) {
    const isEmpty = values.some((value) => typeof value === 'string' && value.trim() === '');
    if (isEmpty) throw ralphError('option-empty', { option });
  }
}

const orNull = <Value>(value: Value | undefined): Value | null => (value === undefined ? null : value);

/** What the flags ask for; null where they say nothing. Paths become absolute. */
export function runOptions(flags: RunFlags, known: { objective: string; cwd: string }): RunOptions {
  const { objective, cwd } = known;
  refuseEmpty(flags);
  return {
    objective,
    repository: path.resolve(cwd, flags.repo === undefined ? '.' : flags.repo),
    base: orNull(flags.base),
    agent: orNull(flags.agent),
    model: orNull(flags.model),
    command: orNull(flags.command),
    sandbox: orNull(flags.sandbox),
    network: orNull(flags.network),
    readable: (flags.read ?? []).map((each) => path.resolve(cwd, each)),
    setup: orNull(flags.setup),
    runId: orNull(flags.id),
    limits: {
      maxRounds: orNull(flags.maxRounds),
      maxHandoffChars: orNull(flags.maxHandoffChars),
      maxResultChars: null,
      roundTimeoutMs: orNull(flags.roundTimeout),
      idleTimeoutMs: orNull(flags.idleTimeout),
      graceMs: orNull(flags.grace),
      roundAttempts: orNull(flags.roundAttempts),
      reportAttempts: orNull(flags.reportAttempts),
      maxRejections: null,
      stallRounds: null,
    },
  };
}
