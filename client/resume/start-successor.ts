import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import { RunRequest } from '../../schemas/run/run.ts';
import { exists } from '../../system/exists.ts';
import { keepLate } from '../../workspaces/rollback/keep-late.ts';
import { readRequest, predecessors } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';
import { diskRun } from '../view/disk-run.ts';
import { givenUp } from './gone-on-from.ts';
import { prepareSuccessor, type ResumeOptions } from './prepare-successor.ts';
import { refuseAltered } from './refuse-altered.ts';
import type { RunView } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';
import { startRun } from '../start/start-run.ts';
import { noteSuccessor } from './successors.ts';
import { describeRun } from '../view/temporal-run.ts';
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
    const view = await showRun(deployment, before);
    const prepared = await prepareSuccessor(deployment, view, options);
    await refuseAltered(link, deployment.ralphHome, before);
    await keepLineLate(deployment.ralphHome, view);
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

/** What rollbacks along the line gave up while the user's repository was away gets its refs there now. */
async function keepLineLate(ralphHome: string, { runId, successors }: RunView): Promise<void> {
  const own = await diskRun(ralphHome, runId);
  if (own === null || own.request === null) return;
  for (const { paths, request } of [own, ...(await givenUp(ralphHome, successors))]) {
    if (request !== null) await keepLate({ paths, request });
  }
  for await (const { paths } of predecessors(own.paths, own.request)) {
    const request = await readRequest(paths);
    if (request !== null) await keepLate({ paths, request });
  }
}

/** Ids of runs whose files are gone stay used: Temporal starts an id once. */
async function nextId(link: TemporalLink, { ralphHome }: Deployment, root: string): Promise<string> {
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const runId = root.slice(0, MAX_ID_CHARS - suffix.length) + suffix;
    if (!(await exists(runPaths(ralphHome, runId).root)) && (await describeRun(link, runId)) === null) return runId;
  }
}
