import type { Checkpoint } from '../schemas/round.ts';
import type { RunRequest } from '../schemas/run.ts';
import { checkpoint, type CheckpointStatus } from '../workspaces/checkpoint.ts';
import { publishBranch } from '../workspaces/publish-branch.ts';
import type { RunPaths } from '../workspaces/run-paths.ts';

/** Commit what an attempt left in the workspace and show it in the user's repository. Only after quiescence. */
export async function saveWork({
  run,
  request,
  round,
  attempt,
  status,
  summary,
}: {
  run: RunPaths;
  request: RunRequest;
  round: number;
  attempt: number;
  status: CheckpointStatus;
  summary: string;
}): Promise<Checkpoint> {
  const made = await checkpoint({ paths: run, request, round, attempt, status, summary });
  const { ref, note } = await publishBranch({ paths: run, request, commit: made.commit });
  return { ...made, ref, notes: note === null ? made.notes : [...made.notes, note] };
}
