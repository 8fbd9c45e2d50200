import { Command } from 'commander';
import type { TemporalLink } from '../../client/connect.ts';
import type { Deployment } from '../../client/deployment.ts';
import { agentsOf } from '../../schemas/agents-of.ts';
import type { RunRequest } from '../../schemas/run.ts';
import { readObjective } from '../arguments/objective.ts';
import type { CommandContext } from '../context.ts';
import { followToEnd } from '../follow-to-end.ts';
import { json } from '../output/json.ts';
import { runBegin } from '../output/run-begin.ts';
import { addRunFlags, type RunFlags } from './run-flags.ts';
import { runOptions } from './run-options.ts';

export function runCommand(context: CommandContext): Command {
  const { terminal, cwd, stdin, env } = context;
  const command = new Command('run')
    .description('start a run and follow it; it goes on when the terminal is closed')
    .argument('[objective]', 'what to reach; - reads it from stdin');
  return addRunFlags(command).action(async (argument: string | undefined, flags: RunFlags) => {
    const objective = await readObjective({ argument, file: flags.objectiveFile, stdin });
    const options = runOptions(flags, { objective, cwd });
    const { openDeployment } = await import('../../client/deployment.ts');
    const { prepareRun } = await import('../../client/prepare-run.ts');
    const deployment = await openDeployment(env);
    const { request, warnings } = await prepareRun(deployment, options);
    for (const warning of warnings) terminal.err(`${terminal.paintErr.warn('note:')} ${warning}`);

    const { checkWorkerFor, ensureServices } = await import('../../client/ensure-services.ts');
    for (const agent of agentsOf(request)) await checkWorkerFor(agent, deployment);
    const link = await ensureServices(deployment, {
      worker: 'where-embedded',
      first: null,
      onNote: (text) => terminal.note(text),
    });
    try {
      const { startRun } = await import('../../client/start-run.ts');
      await startRun(link, deployment, request);
      if (flags.detach === true) announce({ context, request, link, asJson: flags.json === true });
      else await follow({ context, request, link, deployment, asJson: flags.json === true });
    } finally {
      await link.close();
    }
  });
}

function announce(how: { context: CommandContext; request: RunRequest; link: TemporalLink; asJson: boolean }): void {
  const { terminal } = how.context;
  const { runId } = how.request;
  if (how.asJson) {
    terminal.out(json({ runId, repository: how.request.repository, namespace: how.link.namespace }));
    return;
  }
  terminal.out(runId);
  terminal.note(`It goes on by itself. Follow: ralph watch ${runId}   End: ralph cancel ${runId}`);
}

async function follow(how: {
  context: CommandContext;
  request: RunRequest;
  link: TemporalLink;
  deployment: Deployment;
  asJson: boolean;
}): Promise<void> {
  const { context, request, link, deployment, asJson } = how;
  const { terminal } = context;
  const { paint, paintErr } = terminal;
  for (const line of runBegin(request, asJson ? paintErr : paint)) {
    if (asJson) terminal.err(line);
    else terminal.out(line);
  }
  await followToEnd({ context, link, deployment, runId: request.runId, past: true, asJson });
}
