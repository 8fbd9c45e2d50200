import { Readable } from 'node:stream';
import { commandLine } from '../../../cli/command-line.ts';
import type { Ended } from './ralph.ts';
import { pipe } from './terminals.ts';

/** The command line in this very process, as it would print into a pipe: a second faster than a process of its own. */
export async function here(
  args: readonly string[],
  {
    home,
    cwd = process.cwd(),
    input = '',
    env = {},
  }: {
    home: string;
    cwd?: string;
    input?: string;
    env?: Record<string, string>;
  },
): Promise<Ended> {
  const { terminal, printed } = pipe();
  const code = await commandLine({
    argv: args,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], RALPH_HOME: home, ...env },
    cwd,
    stdin: Readable.from([Buffer.from(input)]),
    terminal,
    version: '0.0.0',
  });
  return { ...printed, code };
}
