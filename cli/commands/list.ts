import { Command } from 'commander';
import { wholeNumber } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { several } from '../text/amounts.ts';
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
    .description(`list the latest ${DEFAULT_LIMIT} runs, the latest first; --all: every one`)
    .option('-n, --limit <n>', 'most runs to list', wholeNumber, DEFAULT_LIMIT)
    .option('-a, --all', 'list every run')
    .option('--json', 'print JSON')
    .action(async (flags: ListFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { listRuns } = await import('../../client/view/list-runs.ts');
      const { runs, notes } = await listRuns(await openDeployment(env));
      const shown = flags.all === true ? runs : runs.slice(0, flags.limit);
      for (const note of notes) terminal.note(note);
      if (flags.json === true) {
        terminal.out(json(shown));
        return;
      }
      if (runs.length === 0) {
        terminal.out('No runs yet. `ralph run "<objective>"` starts one.');
        return;
      }
      const { paint } = terminal;
      for (const line of runList(shown, { now: now(), width: terminal.columns(), paint })) terminal.out(line);
      if (shown.length < runs.length) {
        terminal.note(
          `${shown.length} of ${several(runs.length, 'run')}, the latest first; \`ralph list --all\` shows every one.`,
        );
      }
    });
}
