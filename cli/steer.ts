import type { Deployment } from '../client/deployment.ts';
import type { RunView } from '../client/run-view.ts';
import type { TemporalRun } from '../client/temporal-run.ts';
import { ralphError } from '../schemas/errors/index.ts';
import type { Steer } from '../schemas/steering.ts';
import type { CommandContext } from './context.ts';
import { hasEnded } from './exit-codes.ts';

/** A run that goes on, as far as is known. Throws RalphError where it has ended. @param done "paused", "stopped", … */
export async function liveRun(deployment: Deployment, runId: string, done: string): Promise<RunView> {
  const { showRun } = await import('../client/show-run.ts');
  const run = await showRun(deployment, runId);
  if (!hasEnded(run.status)) return run;
  throw ralphError('run-ended', { runId, status: run.status, done, wayOut: wayOutOf(run) });
}

function wayOutOf({ runId, status }: RunView): string {
  const why = `\`ralph why ${runId}\` tells why.`;
  return status === 'complete' ? why : `${why} \`ralph resume ${runId}\` starts a run that goes on from it.`;
}

/**
 * Tell a live run something and wait, bounded, until it is seen to have obeyed. The run is told before a worker is
 * started: it must not do first what it was told not to. Null: Temporal does not know the run any more.
 */
export async function steerLive(how: {
  context: CommandContext;
  deployment: Deployment;
  runId: string;
  steer: Steer;
  obeyed: (run: TemporalRun) => boolean;
  withinMs: number;
}): Promise<TemporalRun | null> {
  const { context, deployment, runId, steer, obeyed, withinMs } = how;
  const { ensureServices } = await import('../client/ensure-services.ts');
  const { runOnce, steerRun } = await import('../client/steer-run.ts');
  const link = await ensureServices(deployment, {
    worker: 'where-embedded',
    first: (reached) => steerRun(reached, runId, steer),
    onNote: (text) => context.terminal.note(text),
  });
  try {
    return await runOnce(link, runId, { is: obeyed, withinMs });
  } finally {
    await link.close();
  }
}
