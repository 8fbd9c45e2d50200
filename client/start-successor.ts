import { RalphError, ralphError } from '../schemas/errors/index.ts';
import { RunRequest } from '../schemas/run.ts';
import { exists } from '../system/exists.ts';
import { runPaths } from '../workspaces/run-paths.ts';
import type { TemporalLink } from './connect.ts';
import type { Deployment } from './deployment.ts';
import { prepareSuccessor, type ResumeOptions } from './prepare-successor.ts';
import { showRun } from './show-run.ts';
import { startRun } from './start-run.ts';
import { noteSuccessor } from './successors.ts';
import { describeRun } from './temporal-run.ts';
import { withLine } from './with-line.ts';

const MAX_ID_CHARS = 64;

/**
 * Start the successor of a run under the next free id of its line, `<root>-2` and so on. How the run stands is looked at
 * anew, with the line to ourselves: somebody else may have been faster. Throws RalphError.
 */
export function startSuccessor(
  link: TemporalLink,
  deployment: Deployment,
  { runId: before, options }: { runId: string; options: ResumeOptions },
): Promise<RunRequest> {
  return withLine(deployment.ralphHome, before, async () => {
    const prepared = await prepareSuccessor(deployment, await showRun(deployment, before), options);
    const runId = await nextId(link, deployment, prepared.predecessor.root);
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
  });
}

/** Ids of runs whose files are gone stay used: Temporal starts an id once. */
async function nextId(link: TemporalLink, { ralphHome }: Deployment, root: string): Promise<string> {
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const runId = root.slice(0, MAX_ID_CHARS - suffix.length) + suffix;
    if (!(await exists(runPaths(ralphHome, runId).root)) && (await describeRun(link, runId)) === null) return runId;
  }
}
