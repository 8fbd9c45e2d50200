import type { Redactor } from '../../redaction/redactor.ts';
import type { Checkpoint, CommittedSecret } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { messageOf } from '../../system/error-code.ts';
import { searchObjects } from '../../workspaces/git/search-objects.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { checkpoint, type CheckpointStatus, type MadeCheckpoint } from '../../workspaces/round/checkpoint.ts';
import { listNewObjects, type NewObjects } from '../../workspaces/round/new-objects.ts';
import { publishBranch, type Placement } from '../../workspaces/round/publish-branch.ts';
import { isForeign } from '../step/faults.ts';

const MAX_NAMED_SECRETS = 20;

/** An attempt whose work is to be saved. */
export interface Work {
  readonly redactor: Redactor;
  readonly run: RunPaths;
  readonly request: RunRequest;
  readonly round: number;
  readonly attempt: number;
}

/**
 * Commit what an attempt left in the workspace, name the secrets in it, and show it in the user's repository. Only once
 * nothing of the attempt runs any more.
 */
export async function saveWork({
  redactor,
  run,
  request,
  round,
  attempt,
  status,
  summary,
  notes,
}: Work & {
  status: CheckpointStatus;
  summary: string;
  /** What is known of the attempt already. */
  notes: readonly string[];
}): Promise<Checkpoint> {
  const redact = (text: string): string => redactor.text(text);
  const made = await checkpoint({ paths: run, request, round, attempt, status, summary, redact });
  const found = await committedSecrets({ redactor, run }, made);
  const { ref, note } = await publishWork({ run, request }, made.checkpoint, found.objects);
  return {
    ...made.checkpoint,
    ref,
    notes: [...notes, ...made.checkpoint.notes, ...found.notes, ...(note === null ? [] : [note])],
    secrets: found.secrets,
  };
}

/**
 * The known secrets that an attempt's commits hold: nothing can take them out of what an agent committed, so they are
 * named. If git or the disk fails the search, a note says so; the round does not fail.
 */
async function committedSecrets(
  { redactor, run }: Pick<Work, 'redactor' | 'run'>,
  { checkpoint: { base, commit }, committed, kept }: MadeCheckpoint,
): Promise<{ secrets: CommittedSecret[]; notes: string[]; objects: NewObjects | null }> {
  const secrets = new Map<string, CommittedSecret>();
  const notes: string[] = [];
  let objects: NewObjects | null = null;
  try {
    objects = await listNewObjects({ paths: run, base, commit, committed, kept });
    for await (const { path, text } of searchObjects(run, [...objects.committed, ...objects.beside])) {
      for (const { name } of redactor.find(text)) {
        const secret = { name, path: path === null ? null : redactor.text(path) };
        if (secrets.size < MAX_NAMED_SECRETS) secrets.set(JSON.stringify(secret), secret);
      }
    }
  } catch (error) {
    if (!isForeign(error)) throw error;
    notes.push(`The commits were not searched for secrets to the end: ${messageOf(error)}`);
  }
  return { secrets: [...secrets.values()], notes, objects };
}

/** The work is safe in the engine's repository: whatever keeps it out of the user's is no fault of the round. */
async function publishWork(
  { run, request }: Pick<Work, 'run' | 'request'>,
  { commit, base }: Checkpoint,
  objects: NewObjects | null,
): Promise<Placement> {
  try {
    const added = objects === null ? null : objects.committed;
    return await publishBranch({ paths: run, request, commit, base, added });
  } catch (error) {
    if (!isForeign(error)) throw error;
    const { path } = request.repository;
    return { ref: null, note: `The work could not be shown in ${path}: ${messageOf(error)}` };
  }
}
