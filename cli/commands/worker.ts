import { Command } from 'commander';
import { runWorker } from '../../host/worker-process/worker-process.ts';
import type { CommandContext } from '../context.ts';

export function workerCommand({ env, exitWith }: CommandContext): Command {
  return new Command('worker')
    .description("run the worker in the foreground, with this shell's keys; Ctrl-C ends it")
    .action(async () => {
      const { resolveRalphHome } = await import('../../host/ralph-home.ts');
      const { workerEntry } = await import('../../host/package-root.ts');
      exitWith(await runWorker({ ralphHome: await resolveRalphHome(env), env, entry: await workerEntry() }));
    });
}
