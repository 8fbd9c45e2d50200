import { type Command, Option } from 'commander';
import { ProviderName } from '../../schemas/run/agent.ts';
import { SandboxLevel } from '../../schemas/run/sandbox.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { dollars, milliseconds, numberFromZero, tokenCount, wholeNumber } from './numbers.ts';

/** Options of `ralph run` as they stand on the command line. */
export interface RunFlags {
  readonly objectiveFile?: string;
  readonly repo?: string;
  readonly base?: string;
  readonly agent?: ProviderName;
  readonly model?: string;
  readonly command?: string;
  readonly fallbackAgent?: ProviderName | false;
  readonly fallbackModel?: string;
  readonly fallbackCommand?: string;
  readonly gate?: readonly string[] | false;
  readonly gateTimeout?: number;
  readonly gateInPlace?: boolean;
  readonly gateBaseline?: 'green' | 'allow-red';
  readonly protect?: readonly string[];
  readonly reviewer?: ProviderName | false;
  readonly reviewerModel?: string;
  readonly reviewerCommand?: string;
  readonly maxRejections?: number;
  readonly stallRounds?: number;
  readonly maxTime?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxWait?: number;
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
  readonly repositoryHooks?: boolean;
  readonly id?: string;
  readonly detach?: boolean;
  readonly json?: boolean;
}

const gather = (value: string, all: readonly string[] | false | undefined): string[] => [...(all || []), value];
const gatherParted = (value: string, all: readonly string[] | undefined): string[] => [
  ...(all ?? []),
  ...value.split(',').map((part) => part.trim()),
];

const agents = ProviderName.options;

/** Declare the options. Where one is absent, the repository's ralph.json decides, then the built-in default. */
export function addRunFlags(command: Command): Command {
  return rejectBoth(command, ['network', 'setup', 'gate', 'reviewer', 'fallback-agent'])
    .optionsGroup('What to work on:')
    .option('--objective-file <file>', 'read the objective from a file; - is stdin')
    .option('-C, --repo <folder>', 'the git repository (default: the current folder)')
    .option('--base <ref>', 'branch, tag or commit to start from (default: HEAD)')
    .option('--setup <command>', 'runs once in the agent\'s sandbox, before the first round, for example "npm ci"')
    .option('--no-setup', "no setup, even if the repository's ralph.json has one")
    .optionsGroup('Agent and sandbox:')
    .addOption(new Option('--agent <name>', 'the agent (default: claude-code)').choices(agents))
    .option('--model <name>', "the agent's model (default: its own)")
    .option('--command <command>', 'a shell command as the agent: prompt on stdin, report to $RALPH_REPORT_FILE')
    .addOption(
      new Option('--sandbox <level>', 'what a round may write (default: workspace-write)').choices(
        SandboxLevel.options,
      ),
    )
    .option('--network', "give rounds network access, even if the repository's ralph.json denies it")
    .option('--no-network', 'give rounds no network access')
    .option('--read <path>', 'let rounds read a path that the sandbox hides; repeatable', gather)
    .option('--repository-hooks', "let agents run the hooks and MCP servers in the repository's agent settings")
    .addOption(
      new Option('--fallback-agent <name>', 'agent that takes over while the first is limited or down').choices(agents),
    )
    .option('--no-fallback-agent', "no fallback agent, even if the repository's ralph.json has one")
    .option('--fallback-model <name>', "the fallback agent's model")
    .option('--fallback-command <command>', 'a shell command as the fallback agent')
    .optionsGroup('What verifies completion (default: nothing):')
    .option(
      '--gate <command>',
      'command that must exit with 0 on a clean checkout, for example "npm test"; repeatable',
      gather,
    )
    .option('--no-gate', "no gates, even if the repository's ralph.json has some")
    .option('--gate-timeout <duration>', 'longest duration of each gate (default: 20m)', milliseconds)
    .option('--gate-in-place', 'run gates in the workspace as the agent left it: faster, but less reliable')
    .addOption(
      new Option(
        '--gate-baseline <rule>',
        'allow-red: a gate may fail exactly as it did before round 1 (default: green)',
      ).choices(['green', 'allow-red']),
    )
    .option(
      '--protect <globs>',
      'paths that must be unchanged at the end, for example "tests/**,package.json"',
      gatherParted,
    )
    .addOption(new Option('--reviewer <name>', 'a fresh agent that judges the work').choices(agents))
    .option('--no-reviewer', "no reviewer, even if the repository's ralph.json has one")
    .option('--reviewer-model <name>', "the reviewer's model")
    .option('--reviewer-command <command>', 'a shell command as the reviewer')
    .optionsGroup('Budgets, and when to give up:')
    .option('--max-rounds <n>', 'maximum number of rounds (default: 256)', wholeNumber)
    .option('--max-time <duration>', 'maximum working time; waits do not count (default: no limit)', milliseconds)
    .option(
      '--max-tokens <n>',
      'maximum tokens (input, output, cache writes), for example 5M (default: no limit)',
      tokenCount,
    )
    .option('--max-cost <dollars>', 'maximum cost in US dollars (default: no limit)', dollars)
    .option(
      '--max-wait <duration>',
      'maximum total waiting time, for example for limits (default: no limit)',
      milliseconds,
    )
    .option(
      '--max-rejections <n>',
      'give up after this many rejected completion claims in a row (default: 5)',
      wholeNumber,
    )
    .option(
      '--stall-rounds <n>',
      'give up after this many rounds in a row without a change; 0: never (default: 3)',
      numberFromZero,
    )
    .optionsGroup('Limits of a round:')
    .option('--round-timeout <duration>', 'longest duration of a round (default: 1h)', milliseconds)
    .option('--idle-timeout <duration>', 'longest time without output or CPU use (default: 20m)', milliseconds)
    .option('--round-attempts <n>', 'maximum attempts at a round that crashes or times out (default: 3)', wholeNumber)
    .option(
      '--report-attempts <n>',
      'maximum attempts at a round whose report is missing or invalid (default: 2)',
      wholeNumber,
    )
    .option('--max-handoff-chars <n>', "maximum characters of a round's report (default: 16384)", wholeNumber)
    .option('--grace <duration>', 'time between SIGTERM and SIGKILL (default: 10s)', milliseconds)
    .optionsGroup('Id and output:')
    .option('--id <id>', 'the id of the run: 1 to 64 of a-z, 0-9 and - (default: generated)')
    .option('-d, --detach', 'start the run and return')
    .option('--json', 'print one JSON document on stdout, progress on stderr');
}

/** Of an option and its `--no-` form commander takes the last; here they exclude each other. */
function rejectBoth(command: Command, names: readonly string[]): Command {
  const seen = new Set<string>();
  const pairs = names.map((name) => [name, `no-${name}`]);
  for (const name of pairs.flat()) command.on(`option:${name}`, () => void seen.add(name));
  return command.hook('preAction', () => {
    const both = pairs.find((pair) => pair.every((name) => seen.has(name)));
    if (both !== undefined) throw ralphError('options-contradict', { options: both.map((name) => `--${name}`) });
  });
}
