import { Command } from 'commander';
import { beginning } from '../../schemas/loop/state.ts';
import { agentsOf } from '../../schemas/run/run.ts';
import { readObjective } from '../arguments/objective.ts';
import type { CommandContext } from '../context.ts';
import { detachable, followStarted } from '../follow/follow-run.ts';
import { addRunFlags, type RunFlags } from '../arguments/run-flags.ts';
import { runOptions } from '../arguments/run-options.ts';

export function runCommand(context: CommandContext): Command {
  const { terminal, cwd, stdin, env } = context;
  const command = new Command('run')
    .description('start a run and follow it; it continues when the terminal is closed')
    .argument('[objective]', 'what the run must achieve; - reads it from stdin');
  return addRunFlags(command).action(async (argument: string | undefined, flags: RunFlags) => {
    const objective = await readObjective({ argument, file: flags.objectiveFile, stdin });
    const options = runOptions(flags, { objective, cwd });
    const { openDeployment } = await import('../../client/connect/deployment.ts');
    const { prepareRun } = await import('../../client/start/prepare-run.ts');
    const deployment = await openDeployment(env);
    const { request, warnings } = await prepareRun(deployment, options);
    for (const warning of warnings) terminal.err(`${terminal.paintErr.warn('note:')} ${warning}`);

    const { checkWorkerFor, ensureServices } = await import('../../client/connect/ensure-services.ts');
    for (const agent of agentsOf(request)) {
      const uses = await checkWorkerFor(agent, deployment);
      if (uses !== null) terminal.note(`The agent ${agent.provider} uses ${uses}.`);
    }
    const link = await ensureServices(deployment, {
      worker: 'where-embedded',
      first: null,
      onNote: (text) => terminal.note(text),
    });
    try {
      const { startRun } = await import('../../client/start/start-run.ts');
      await detachable(async (detached) => {
        await startRun(link, deployment, { request, state: beginning(request) });
        await followStarted({ context, request, link, deployment, flags, detached });
      });
    } finally {
      await link.close();
    }
  });
}
