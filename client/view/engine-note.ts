import { homePaths } from '../../host/home-paths.ts';
import type { RunView } from './run-view.ts';

/** Where a run ended for a reason of the engine's: where that is told, and how to go on. Null: it did not. */
export function engineNote(run: Omit<RunView, 'notes'>, ralphHome: string): string | null {
  const { status, ending, branch } = run;
  const isOurs = ending !== null && ending.status === 'round-failed' && ending.fault.code === 'engine-error';
  if (!isOurs && status !== 'failed') return null;
  const where =
    run.folder === null
      ? `The log of the worker on the machine that did the work (${run.hostId ?? 'unknown'}) tells more.`
      : `${homePaths(ralphHome).worker.log} tells more.`;
  const next =
    branch !== null && run.ref === `refs/heads/${branch}`
      ? ` Its branch has what was committed, and \`ralph why ${run.runId}\` tells how to go on.`
      : '';
  const page = isOurs || run.temporal === null ? '' : ' So does its history in Temporal.';
  return `The run ended for a reason of the engine's, not of the agent's. ${where}${page}${next}`;
}
