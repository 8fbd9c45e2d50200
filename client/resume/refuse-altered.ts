import { isDeepStrictEqual } from 'node:util';
import { ralphError } from '../../schemas/errors/index.ts';
import { LoopInput } from '../../schemas/loop/loop.ts';
import { safeParseRecord } from '../../schemas/text/parse-record.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import type { TemporalLink } from '../connect/connect.ts';
import { describeRun } from '../view/temporal-run.ts';

/**
 * Refuse a run whose `request.json` is not what it was started with: a file can be changed, what Temporal keeps is
 * signed. Where Temporal has forgotten the run, the file is all there is. Throws RalphError `request-altered`.
 */
export async function refuseAltered(link: TemporalLink, ralphHome: string, runId: string): Promise<void> {
  const paths = runPaths(ralphHome, runId);
  const [signed, request] = await Promise.all([startedWith(link, runId), readRequest(paths)]);
  if (signed === null || isDeepStrictEqual(signed, request)) return;
  throw ralphError('request-altered', { runId, file: paths.request });
}

/** Null: Temporal does not know the run, or a version of ours wrote what cannot be read any more. */
async function startedWith(link: TemporalLink, runId: string): Promise<RunRequest | null> {
  if ((await describeRun(link, runId)) === null) return null;
  const { namespace, client, read } = link;
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId: runId },
    maximumPageSize: 1,
  });
  const [first] = history?.events ?? [];
  const input = first?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
  const parsed = safeParseRecord(LoopInput, await read.workflow(runId, input));
  return parsed.success ? parsed.data.request : null;
}
