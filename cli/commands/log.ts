import { Command } from 'commander';
import { numberFromZero } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { jsonLine } from '../output/json.ts';
import { printable } from '../output/printable.ts';

interface LogFlags {
  readonly round?: number;
  readonly follow?: boolean;
  readonly raw?: boolean;
  readonly json?: boolean;
}

export function logCommand({ terminal, env }: CommandContext): Command {
  return new Command('log')
    .description('print what the agents of a run printed, and its setup')
    .argument('<run>', 'id of the run')
    .option('--round <n>', 'of this round only; 0 is the setup', numberFromZero)
    .option('-f, --follow', 'go on until the run has ended')
    .option('--raw', "an agent's event stream as it stands, not what it says")
    .option('--json', 'print a JSON object per line')
    .action(async (runId: string, flags: LogFlags) => {
      const { openDeployment } = await import('../../client/deployment.ts');
      const { transcript } = await import('../../client/transcript.ts');
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      const lines = transcript({
        deployment: await openDeployment(env),
        runId,
        round: flags.round === undefined ? null : flags.round,
        follow: flags.follow === true,
        signal: stop.signal,
      });
      const { paint } = terminal;
      let before = '';
      for await (const line of lines) {
        if (flags.json === true) {
          terminal.out(jsonLine(line));
          continue;
        }
        const text = flags.raw === true ? line.text : line.activity;
        if (text === null) continue;
        const who = line.round === 0 ? 'setup' : `round ${line.round}, attempt ${line.attempt}`;
        const head = `── ${who}, ${line.stream} ──`;
        if (head !== before) terminal.out(paint.faint(head));
        before = head;
        terminal.out(printable(text));
      }
    });
}
