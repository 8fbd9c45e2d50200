import type { TemporalLink } from '../../client/connect/connect.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { CommandContext } from '../context.ts';
import { followToEnd } from './follow-to-end.ts';
import { json } from '../terminal/json.ts';
import { runBegin } from '../pages/run-begin.ts';

interface Started {
  readonly context: CommandContext;
  readonly request: RunRequest;
  readonly link: TemporalLink;
  readonly deployment: Deployment;
  readonly detached: AbortSignal;
  readonly flags: { readonly detach?: boolean; readonly json?: boolean };
}

/** Follow a run that has just been started, or with `--detach` name it. */
export async function tellStarted(started: Started): Promise<void> {
  const { context, request, link, deployment, flags, detached } = started;
  const asJson = flags.json === true;
  if (flags.detach === true) {
    announce(started, asJson);
    return;
  }
  const { terminal } = context;
  for (const line of runBegin(request, asJson ? terminal.paintErr : terminal.paint)) {
    if (asJson) terminal.err(line);
    else terminal.out(line);
  }
  await followToEnd({ context, link, deployment, runId: request.runId, past: true, asJson, detached });
}

function announce({ context: { terminal }, request, link }: Started, asJson: boolean): void {
  const { runId, repository } = request;
  if (asJson) {
    terminal.out(json({ runId, repository, namespace: link.namespace }));
    return;
  }
  terminal.out(runId);
  terminal.note(`It goes on by itself. Follow: ralph watch ${runId}   End: ralph cancel ${runId}`);
}
