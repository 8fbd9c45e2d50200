import type { TemporalLink } from '../../client/connect/connect.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { followRun } from './follow-run.ts';
import type { RunView } from '../../client/view/run-view.ts';
import { fields } from '../terminal/fields.ts';
import { json } from '../terminal/json.ts';
import { palette } from '../terminal/palette.ts';
import { nextCommands, runEnd } from '../pages/run-end.ts';

/** Follow a run, say how it ended and what to do next; the exit code tells the result; 0 where `detached` was aborted. */
export async function followToEnd(how: {
  context: CommandContext;
  link: TemporalLink;
  deployment: Deployment;
  runId: string;
  past: boolean;
  asJson: boolean;
  detached: AbortSignal;
}): Promise<void> {
  const { context, link, deployment, runId, past, asJson, detached } = how;
  const { terminal } = context;
  const run = await followRun({ terminal, link, deployment, runId, past, aside: asJson, ending: false, detached });
  if (run === null) {
    terminal.err(`Detached; ${runId} goes on.  Follow: ralph watch ${runId}   End: ralph cancel ${runId}`);
    return;
  }
  await tellEnd({ context, deployment, run, asJson });
}

/** Say how a run ended and what to do next, and exit with what tells the result. */
export async function tellEnd(how: {
  context: CommandContext;
  deployment: Deployment;
  run: RunView;
  asJson: boolean;
}): Promise<void> {
  const { context, deployment, run, asJson } = how;
  const { terminal } = context;
  context.exitWith(exitCodeOf(run));
  if (asJson) {
    terminal.out(json(run));
    return;
  }
  const { paint } = terminal;
  const { wayOn } = await import('../../client/resume/way-on.ts');
  const way = await wayOn(deployment, run);
  const next = nextCommands(run, way).map(([command, what]) => [command, paint.faint(what)] as const);
  const lines = ['', ...runEnd(run, { way, paint }), '', ...fields(next, palette(false))];
  if (run.temporal !== null && run.temporal.page !== null)
    lines.push('', `Temporal's page while the server is up: ${run.temporal.page}`);
  for (const line of lines) terminal.out(line);
}
