import type { Redactor } from '../../redaction/redactor.ts';
import type { Checkpoint } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { checkpoint, type CheckpointStatus } from '../../workspaces/round/checkpoint.ts';
import { SpawnerLost } from '../../workspaces/git/git-spawner.ts';
import { publishBranch, type Placement } from '../../workspaces/round/publish-branch.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { committedSecrets } from './committed-secrets.ts';
import { errorMessage } from '../step/failures.ts';

/** Commit what an attempt left in the workspace, say which secrets that holds, and show it in the user's repository. Only after quiescence. */
export async function saveWork({
  redactor,
  run,
  request,
  round,
  attempt,
  status,
  summary,
  notes,
}: {
  redactor: Redactor;
  run: RunPaths;
  request: RunRequest;
  round: number;
  attempt: number;
  status: CheckpointStatus;
  summary: string;
  /** Known of the attempt already. */
  notes: readonly string[];
}): Promise<Checkpoint> {
  const redact = (text: string): string => redactor.text(text);
  const made = await checkpoint({ paths: run, request, round, attempt, status, summary, redact });
  const { base, commit } = made;
  const found = await committedSecrets({ redactor, run, runId: request.runId, round, attempt, base, commit });
  const { ref, note } = await shown(run, request, commit);
  return {
    ...made,
    ref,
    notes: [...notes, ...made.notes, ...found.notes, ...(note === null ? [] : [note])],
    secrets: found.secrets,
  };
}

/** The work is safe in the engine's repository: whatever keeps it out of the user's is no fault of the round. */
async function shown(run: RunPaths, request: RunRequest, commit: string): Promise<Placement> {
  try {
    return await publishBranch({ paths: run, request, commit });
  } catch (error) {
    if (error instanceof SpawnerLost) throw error;
    const { path } = request.repository;
    return { ref: null, note: `The work could not be shown in ${path}: ${errorMessage(error)}` };
  }
}
