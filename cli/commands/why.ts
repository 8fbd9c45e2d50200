import { Command } from 'commander';
import { type RunView, statusOf } from '../../client/view/run-view.ts';
import type { CommandContext } from '../context.ts';
import { json } from '../terminal/json.ts';
import type { Description } from '../../client/describe/describe-ending.ts';
import { printable, printableLine } from '../../system/printable.ts';
import { wrapped } from '../terminal/layout.ts';
import { type Palette, statusColour } from '../terminal/palette.ts';
import { commandLines } from '../pages/command-lines.ts';

export function whyCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('why')
    .description('explain what a run is doing or waiting for, or why it ended, and what to do next')
    .argument('<run>', 'id of the run')
    .option('--json', 'print JSON')
    .action(async (runId: string, flags: { json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { whyRun } = await import('../../client/view/why-run.ts');
      const { describeRun } = await import('../../client/describe/describe-run.ts');
      const known = await whyRun(await openDeployment(env), runId);
      const { run } = known;
      const description = describeRun({ ...known, now: now() });
      if (flags.json === true) {
        terminal.out(json({ runId, status: statusOf(run.phase), ...description }));
        return;
      }
      const { paint } = terminal;
      for (const line of whyPage(run, description, { width: terminal.columns(), paint })) terminal.out(line);
    });
}

/** The page of `ralph why RUN`. */
function whyPage(
  { runId, phase }: RunView,
  { headline, said, evidence, next }: Description,
  { width, paint }: { width: number | null; paint: Palette },
): string[] {
  const status = statusOf(phase);
  const [first = '', ...rest] = wrapped(`${runId}: ${printableLine(headline)}.`, width);
  const colour = statusColour(status, paint);
  const room = width === null ? null : width - 2;
  const lines = [...said, ...evidence]
    .flatMap((text) => wrapped(printable(text).trim(), room))
    .map((line) => `  ${line}`);
  return [
    paint.strong(runId) + colour(first.slice(runId.length)),
    ...rest.map((line) => colour(line)),
    ...lines,
    ...(next.length === 0 ? [] : ['', ...commandLines(next, { width, paint })]),
  ];
}
