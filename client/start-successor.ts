import { RalphError, ralphError } from '../schemas/errors/index.ts';
import { RunRequest } from '../schemas/run.ts';
import { exists } from '../system/exists.ts';
import { runPaths } from '../workspaces/run-paths.ts';
import type { TemporalLink } from './connect.ts';
import type { Deployment } from './deployment.ts';
import { refuseResumed } from './gone-on-from.ts';
import type { PreparedSuccessor } from './prepare-successor.ts';
import { showRun } from './show-run.ts';
import { startRun } from './start-run.ts';
import { noteSuccessor } from './successors.ts';
import { describeRun } from './temporal-run.ts';

const MAX_ID_CHARS = 64;

/** Start a successor under the next free id of its line, `<root>-2` and so on. Throws RalphError `run-resumed`. */
export async function startSuccessor(
  link: TemporalLink,
  deployment: Deployment,
  prepared: PreparedSuccessor,
): Promise<RunRequest> {
  const { runId: before, root } = prepared.predecessor;
  // Somebody else may have been faster.
  await refuseResumed(deployment, await showRun(deployment, before));
  const runId = await nextId(link, deployment, root);
  const request = RunRequest.parse({ ...prepared, runId });
  await noteSuccessor(runPaths(deployment.ralphHome, before), runId);
  try {
    await startRun(link, deployment, request);
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== 'run-id-in-use') throw error;
    const wayOut = `Follow it: \`ralph watch ${runId}\`.`;
    throw ralphError('run-resumed', { runId: before, successor: runId, wayOut }, { cause: error });
  }
  return request;
}

/** Ids of runs whose files are gone stay used: Temporal starts an id once. */
async function nextId(link: TemporalLink, { ralphHome }: Deployment, root: string): Promise<string> {
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const runId = root.slice(0, MAX_ID_CHARS - suffix.length) + suffix;
    if (!(await exists(runPaths(ralphHome, runId).root)) && (await describeRun(link, runId)) === null) return runId;
  }
}
