import type { Readable } from 'node:stream';
import type { CommandContext } from './context.ts';
import { errorText, failureOf } from './text/error-text.ts';
import type { Terminal } from './terminal/terminal.ts';
import { program } from './program.ts';

/** Run one command. Returns the exit code; never throws. `argv`: without node and the script. */
export async function commandLine(how: {
  argv: readonly string[];
  env: Readonly<NodeJS.ProcessEnv>;
  cwd: string;
  stdin: Readable;
  terminal: Terminal;
  version: string;
}): Promise<number> {
  const { argv, env, cwd, stdin, terminal } = how;
  let exit = 0;
  const context: CommandContext = {
    terminal,
    env,
    cwd,
    stdin,
    now: () => Date.now(),
    exitWith: (code) => {
      exit = code;
    },
  };
  const root = program(context, how.version);
  if (argv.length === 0) {
    root.outputHelp();
    return exit;
  }
  const debug = env['RALPH_DEBUG'] === '1';
  try {
    await root.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    const verb = root.commands.find(
      (command) => command.name() === argv[0] || command.aliases().includes(argv[0] ?? ''),
    );
    const failure = failureOf(error, { command: verb === undefined ? 'ralph' : `ralph ${verb.name()}`, debug });
    const { text } = failure;
    if (text !== null) terminal.err(errorText({ text }, terminal.paintErr, debug));
    return failure.exit;
  }
}
