import type { Checkpoint } from '../schemas/round.ts';
import type { RunRequest } from '../schemas/run.ts';
import { checkpoint, type CheckpointStatus } from '../workspaces/checkpoint.ts';
import { SpawnerLost } from '../workspaces/git-spawner.ts';
import { publishBranch, type Placement } from '../workspaces/publish-branch.ts';
import type { RunPaths } from '../workspaces/run-paths.ts';
import { errorMessage } from './failures.ts';

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
  const { ref, note } = await shown(run, request, made.commit);
  return { ...made, ref, notes: note === null ? made.notes : [...made.notes, note] };
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
