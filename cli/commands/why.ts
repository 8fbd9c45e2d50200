import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { fields } from '../terminal/fields.ts';
import { json } from '../terminal/json.ts';
import { palette } from '../terminal/palette.ts';
import { printable, printableLine } from '../terminal/printable.ts';
import { statusColour } from '../terminal/status-colour.ts';
import { whyOf } from '../pages/why-text.ts';

export function whyCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('why')
    .description('say in plain words what a run does or waits for, or why it ended, and what to do next')
    .argument('<run>', 'id of the run')
    .option('--json', 'print JSON')
    .action(async (runId: string, flags: { json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { whyRun } = await import('../../client/view/why-run.ts');
      const known = await whyRun(await openDeployment(env), runId);
      const { run } = known;
      const { why, evidence, next } = whyOf({ ...known, now: now() });
      if (flags.json === true) {
        const commands = next.map(([command, what]) => ({ command, what }));
        terminal.out(json({ runId, status: run.status, why, evidence, next: commands }));
        return;
      }
      const { paint } = terminal;
      terminal.out(`${paint.strong(runId)} (${statusColour(run.status, paint)(run.status)}): ${printableLine(why)}`);
      for (const text of evidence) terminal.out(`  ${printable(text).trim().replaceAll('\n', '\n  ')}`);
      if (next.length === 0) return;
      terminal.out('');
      const commands = next.map(([command, what]) => [command, paint.faint(what)] as const);
      for (const line of fields(commands, palette(false))) terminal.out(line);
    });
}
