import { branchName } from '../../schemas/run/run.ts';
import { WorkspaceState } from '../../schemas/loop/preparation.ts';
import { safeParseRecord } from '../../schemas/text/parse-record.ts';
import type { RecordedRun } from './question.ts';
import { recordOf } from './run-records.ts';
import { type Phase, recordedEnding, type RollbackView, rollbackInForce, type Work } from './run-view.ts';
import type { TemporalRun } from './temporal-run.ts';

/** A commit of a run, and where the user's repository shows it; null: nowhere, or not known. */
interface Stand {
  readonly commit: string | null;
  readonly ref: string | null;
  /** Why that is not the run's branch. */
  readonly notes: readonly string[];
}

const MAX_WORKSPACE_BYTES = 1024 * 1024;

/** Where a run's last commit is to be found. */
export async function workOf(known: {
  phase: Phase;
  recorded: RecordedRun | null;
  temporal: TemporalRun | null;
  rollback: RollbackView;
}): Promise<Work> {
  const { phase, recorded } = known;
  const request = recorded === null ? null : recorded.request;
  const isBefore = phase.kind === 'live' && (phase.doing.status === 'starting' || phase.doing.status === 'preparing');
  if (isBefore) return { kind: 'not-made', branch: request === null ? null : branchName(request) };
  const { commit, ref, notes } = await standOf(known);
  const branch = request === null ? branchOf(ref) : branchName(request);
  if (ref !== null) {
    if (branch !== null && ref === `refs/heads/${branch}`) return { kind: 'branch', branch, commit };
    return { kind: 'ref', ref, branch, commit, why: notes.findLast((note) => note.includes(ref)) ?? null };
  }
  if (commit === null) return recorded === null ? { kind: 'unknown' } : { kind: 'not-made', branch };
  const repository = recorded === null ? null : recorded.files.paths.repository;
  return { kind: 'engine', repository, commit, why: notes.at(-1) ?? null };
}

async function standOf({ phase, recorded, temporal, rollback }: Parameters<typeof workOf>[0]): Promise<Stand> {
  const back = rollbackInForce(rollback);
  if (back !== null) return back;
  const last = recorded === null ? null : await lastCheckpoint(recorded);
  const notes = last === null ? [] : last.notes;
  const memo = temporal === null ? null : temporal.memo;
  if (memo !== null && (memo.commit !== null || memo.ref !== null))
    return { commit: memo.commit, ref: memo.ref, notes };
  const ending = recordedEnding(phase);
  if (ending !== null && 'commit' in ending) return { commit: ending.commit, ref: ending.ref, notes };
  if (last !== null) return last;
  return recorded === null ? { commit: null, ref: null, notes } : beforeRounds(recorded);
}

/** The last checkpoint that an attempt made; null: none did, or its record cannot be read. */
async function lastCheckpoint({ records, attempts }: RecordedRun): Promise<Stand | null> {
  const line = attempts.findLast(({ commit }) => commit !== null);
  if (line === undefined) return null;
  const outcome = recordOf(await records.outcome(line.round, line.attempt));
  return outcome === null ? { commit: line.commit, ref: null, notes: [] } : outcome.checkpoint;
}

/** Where a run stands that has no checkpoint: where its workspace was made. */
async function beforeRounds({ files }: RecordedRun): Promise<Stand> {
  const text = await files.read(files.paths.workspace, MAX_WORKSPACE_BYTES);
  const state = text === null ? null : parsed(text);
  return state === null
    ? { commit: null, ref: null, notes: [] }
    : { commit: state.base, ref: state.ref, notes: state.notes };
}

function parsed(text: string): WorkspaceState | null {
  try {
    const state = safeParseRecord(WorkspaceState, JSON.parse(text));
    return state.success ? state.data : null;
  } catch {
    // SyntaxError: torn by a crash that left no run to show.
    return null;
  }
}

const branchOf = (ref: string | null): string | null =>
  /^refs\/heads\/(ralph\/[a-z0-9-]{1,64})$/.exec(ref === null ? '' : ref)?.[1] ?? null;
