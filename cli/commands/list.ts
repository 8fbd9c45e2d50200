import { Command } from 'commander';
import { several } from '../../client/describe/amounts.ts';
import { withStatus } from '../../client/view/run-view.ts';
import { wholeNumber } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { json } from '../terminal/json.ts';
import { runList } from '../pages/run-list.ts';

const DEFAULT_LIMIT = 30;

interface ListFlags {
  readonly limit: number;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function listCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('list')
    .alias('ls')
    .description(`list the latest ${DEFAULT_LIMIT} runs, the latest first; --all lists every run`)
    .option('-n, --limit <n>', 'maximum number of runs to list', wholeNumber, DEFAULT_LIMIT)
    .option('-a, --all', 'list every run')
    .option('--json', 'print JSON')
    .action(async (flags: ListFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { listRuns } = await import('../../client/view/list-runs.ts');
      const { runs, total, notes } = await listRuns(await openDeployment(env), flags.all === true ? null : flags.limit);
      for (const note of notes) terminal.note(note);
      if (flags.json === true) {
        terminal.out(json(runs.map((run) => withStatus(run))));
        return;
      }
      if (runs.length === 0) {
        terminal.out('No runs yet. `ralph run "<objective>"` starts one.');
        return;
      }
      const { paint } = terminal;
      for (const line of runList(runs, { now: now(), width: terminal.columns(), paint })) terminal.out(line);
      if (runs.length < total) {
        terminal.note(
          `${runs.length} of ${several(total, 'run')}, the latest first. \`ralph list --all\` lists every run.`,
        );
      }
    });
}
