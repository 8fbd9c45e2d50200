import { Command } from 'commander';
import { wholeNumber } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import type { Palette } from '../terminal/palette.ts';
import { printable } from '../../system/printable.ts';

interface DiffFlags {
  readonly round?: number;
  readonly stat?: boolean;
  readonly raw?: boolean;
}

export function diffCommand({ terminal, env }: CommandContext): Command {
  return new Command('diff')
    .description('show what a run changed since it began, or what one of its rounds changed')
    .argument('<run>', 'id of the run')
    .option('--round <n>', 'only this round', wholeNumber)
    .option('--stat', 'only the names of the files, and how many lines changed')
    .option('--raw', 'exactly as git prints it, with control characters')
    .action(async (runId: string, { round, stat, raw }: DiffFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { diffRun } = await import('../../client/follow/diff-run.ts');
      const deployment = await openDeployment(env);
      const text = await diffRun(deployment, { runId, round: round === undefined ? null : round, stat: stat === true });
      if (text.trim() === '') {
        terminal.note('No changes.');
        return;
      }
      if (raw === true) {
        terminal.out(text.replace(/\n$/, ''));
        return;
      }
      const shown = printable(text);
      terminal.out(diffColours(shown.replace(/\n$/, ''), terminal.paint));
      if (shown !== text) terminal.note('Control characters were left out; --raw prints what `git apply` needs.');
    });
}

/** A unified diff in colour. */
function diffColours(diff: string, paint: Palette): string {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(diff|index|---|\+\+\+|new file|deleted file|similarity|rename) ?/.test(line)) return paint.strong(line);
      if (line.startsWith('@@')) return paint.name(line);
      if (line.startsWith('+')) return paint.good(line);
      return line.startsWith('-') ? paint.bad(line) : line;
    })
    .join('\n');
}
