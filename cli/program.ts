import { Command } from 'commander';
import { budgetCommand } from './commands/budget.ts';
import { cancelCommand } from './commands/cancel.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { downCommand } from './commands/down.ts';
import { listCommand } from './commands/list.ts';
import { logCommand } from './commands/log.ts';
import { pauseCommand } from './commands/pause.ts';
import { resumeCommand } from './commands/resume.ts';
import { retryCommand } from './commands/retry.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { runCommand } from './commands/run.ts';
import { searchCommand } from './commands/search.ts';
import { showCommand } from './commands/show.ts';
import { statsCommand } from './commands/stats.ts';
import { statusCommand } from './commands/status.ts';
import { stopCommand } from './commands/stop.ts';
import { uiCommand } from './commands/ui.ts';
import { upCommand } from './commands/up.ts';
import { watchCommand } from './commands/watch.ts';
import { whyCommand } from './commands/why.ts';
import { workerCommand } from './commands/worker.ts';
import { ralphError } from '../schemas/errors/index.ts';
import type { CommandContext } from './context.ts';

const FOOTER = `
A run continues when you close the terminal. Its commits, and those of its
follow-ups, are on the branch ralph/<run> of your repository.
Exit codes of run, resume and watch: 0 complete, 10 blocked, 11 budget-limited,
12 stalled, 13 round-failed, 14 cancelled, 15 terminated, 16 processes may be
left, 17 stopped. Exit codes of all commands: 1 internal error, 2 usage error,
3 no such run, 4 Temporal unreachable. Exit code of search: 5 nothing found.`;

/** The command line. Commander throws instead of exiting, and prints no error itself. */
export function program(context: CommandContext, version: string): Command {
  const { terminal } = context;
  const root = new Command('ralph')
    .description(
      'Works on one objective in many rounds, each with a fresh coding agent, and survives crashes and restarts.',
    )
    .version(version, '-V, --version')
    .addHelpText('after', FOOTER);
  const groups = {
    'Runs:': [runCommand, watchCommand, cancelCommand],
    'Live runs:': [pauseCommand, stopCommand, retryCommand, budgetCommand],
    'Runs that are paused or have ended:': [resumeCommand, rollbackCommand],
    'History (works without server or worker):': [
      listCommand,
      showCommand,
      whyCommand,
      logCommand,
      diffCommand,
      searchCommand,
      statsCommand,
      uiCommand,
    ],
    'This machine:': [upCommand, downCommand, statusCommand, doctorCommand, workerCommand],
  };
  const changing = [
    ...groups['Runs:'].filter((make) => make !== watchCommand),
    ...groups['Live runs:'],
    ...groups['Runs that are paused or have ended:'],
    downCommand,
    uiCommand,
  ];
  const verbs: Command[] = [];
  for (const [title, makers] of Object.entries(groups)) {
    root.commandsGroup(title);
    for (const make of makers) {
      const verb = make(context);
      if (changing.includes(make)) verb.hook('preAction', () => rejectInsideRound(context, verb.name()));
      root.addCommand(verb);
      verbs.push(verb);
    }
  }
  for (const command of [root, ...verbs]) {
    command
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureHelp({ styleTitle: (title) => terminal.paint.strong(title) })
      .configureOutput({
        writeOut: (text) => terminal.out(text.trimEnd()),
        writeErr: (text) => terminal.out(text.trimEnd()),
        // Errors are thrown, and printed where all errors are.
        outputError: () => {},
      });
  }
  return root;
}

/** An agent does not decide what happens to runs, its own or others. */
function rejectInsideRound({ env }: CommandContext, command: string): void {
  const runId = env['RALPH_RUN'];
  if (runId !== undefined && runId !== '') throw ralphError('inside-a-round', { command, runId });
}
