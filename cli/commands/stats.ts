import { Command } from 'commander';
import { sinceMs } from '../arguments/since.ts';
import type { CommandContext } from '../context.ts';
import { statsNotes, statsPage } from '../pages/stats-page.ts';
import { json } from '../terminal/json.ts';

interface StatsFlags {
  readonly since?: string;
  readonly json?: boolean;
}

export function statsCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('stats')
    .description('say what all runs used, or one, by agent, model and day, and for what')
    .argument('[run]', 'id of the run')
    .option('--since <when>', 'only what began since then: 12h or 7d ago, or a date such as 2026-11-30')
    .option('--json', 'print JSON')
    .action(async (runId: string | undefined, flags: StatsFlags) => {
      const { resolveRalphHome } = await import('../../host/ralph-home.ts');
      const { runStats } = await import('../../client/stats/run-stats.ts');
      const since = sinceMs(flags.since, now());
      const stats = await runStats(await resolveRalphHome(env), { runId: runId ?? null, sinceMs: since });
      for (const note of statsNotes(stats)) terminal.note(note);
      if (flags.json === true) {
        terminal.out(json(stats));
        return;
      }
      const { paint } = terminal;
      for (const line of statsPage(stats, { width: terminal.columns(), paint })) terminal.out(line);
    });
}
