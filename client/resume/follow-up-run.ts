import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import { rootOf, RunRequest, startCommit, type PreviousRun } from '../../schemas/run/run.ts';
import { followUp } from '../../workflows/decide/follow-up.ts';
import { readIdentity } from '../../workspaces/git/repository-settings.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { keepLate } from '../../workspaces/rollback/roll-back.ts';
import { lastCheckpoint } from '../../workspaces/repository/engine-repository.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';
import { checkLaunch } from '../start/launch-checks.ts';
import { FALLBACK_IDENTITY } from '../start/prepare-run.ts';
import { startRun } from '../start/start-run.ts';
import { rollbackInForce, type RunView, statusOf } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';
import { budgetsLeft, usedOfChain, type NewBudgets } from './budgets-left.ts';
import { chainOf, isDiscarded, nextId, withChain, type Chain } from './chain.ts';
import { endedRun, type EndedRun } from './ended-run.ts';
import { rejectAlteredRequest, resumePoint } from './read-state.ts';
import { commandInstead } from './resume-advice.ts';

const MAX_NOTE_CHARS = 4_096;

/** What the user gives with `ralph resume`. */
export interface ResumeOptions extends NewBudgets {
  readonly note: string | null;
}

/** A follow-up that is ready to start, but for its id, which depends on Temporal. */
export interface PreparedFollowUp {
  readonly request: Omit<RunRequest, 'runId' | 'previous'> & { readonly previous: PreviousRun };
  /** What its loop begins with. */
  readonly state: LoopState;
}

/**
 * Make the request and the state of the run that continues one that has ended: the same objective, agents, sandbox, setup,
 * gates and limits, from its last state, with what is left of the budgets or new ones. Starts nothing and writes nothing.
 * Throws RalphError.
 * @param link null: Temporal cannot be asked yet, so the files are not compared with what it keeps signed
 */
export async function prepareFollowUp(
  deployment: Deployment,
  view: RunView,
  { options, link }: { options: ResumeOptions; link: TemporalLink | null },
): Promise<PreparedFollowUp> {
  const { runId } = view;
  const { ralphHome } = deployment;
  const chain = await chainOf(ralphHome, runId, link);
  await rejectNotLast(deployment, chain, runId);
  if (statusOf(view.phase) === 'complete' && rollbackInForce(view.rollback) === null)
    throw ralphError('run-complete', { runId });
  const run = await endedRun(deployment, view, { done: 'resumed' });
  if (run.unfinished !== null) throw ralphError('rollback-half-done', { runId, round: run.unfinished.to });
  if (link !== null) await rejectAlteredRequest(run, link);
  const { start, final } = await resumePoint(run, link);
  const used = await usedOfChain(ralphHome, { runId, final, chain });
  const ceilings = budgetsLeft(used, options, deployment.settings);
  await checkLaunch(deployment, run.request, ceilings.budgets);
  const { runId: _runId, ...frozen } = run.request;
  const commit = await commitOf(run);
  const request = {
    ...frozen,
    limits: { ...frozen.limits, maxRounds: ceilings.maxRounds },
    budgets: ceilings.budgets,
    previous: { runId, root: rootOf(run.request), commit, pending: null },
    identity: (await readIdentity(frozen.repository.path)) ?? FALLBACK_IDENTITY,
    requestedAt: new Date().toISOString(),
  };
  const note = options.note === null ? null : userNote(options.note);
  const before = { ...start, commit };
  const state = followUp(before, { request, note, ceilings, wasAccepted: await wasAccepted(ralphHome, chain) });
  const pending = state.pending === null ? null : { runId: state.pending.runId, round: state.pending.round };
  return { request: { ...request, previous: { ...request.previous, pending } }, state };
}

/** Whether a later run accepted the completion claim and was rolled back: then the user wants something else. */
async function wasAccepted(ralphHome: string, { discarded }: Chain): Promise<boolean> {
  for (const runId of discarded) {
    const ending = await readEnding(runPaths(ralphHome, runId));
    if (ending !== null && ending.ending.status === 'complete') return true;
  }
  return false;
}

async function rejectNotLast(deployment: Deployment, chain: Chain, runId: string): Promise<void> {
  const { last } = chain;
  if (last === runId) return;
  const { phase } = await showRun(deployment, last);
  const wayOut =
    phase.kind === 'live'
      ? `Follow it: \`ralph watch ${last}\`.`
      : `Resume ${last} instead: ${await commandInstead(deployment, last)}.`;
  throw ralphError(isDiscarded(chain, runId) ? 'run-rolled-back' : 'run-continued', { runId, last, wayOut });
}

/** A note without outer white space. Throws RalphError `note-too-long`, `option-empty`. */
function userNote(given: string): string {
  const note = given.trim();
  if (note === '') throw ralphError('option-empty', { option: '--note' });
  if (note.length > MAX_NOTE_CHARS) throw ralphError('note-too-long', { chars: note.length, limit: MAX_NOTE_CHARS });
  return note;
}

/** The last checkpoint; if the run never had a workspace, the commit that it was to begin from. */
async function commitOf({ runId, paths, request }: EndedRun): Promise<string> {
  if (existsSync(join(paths.repository, 'HEAD'))) return lastCheckpoint(paths);
  if (!existsSync(paths.index)) return startCommit(request);
  throw ralphError('workspace-gone', { runId, folder: paths.repository });
}

/**
 * Start the run that continues `runId`, under the next free id of its chain. Everything is read anew with the chain to
 * ourselves, because another command may have been faster. Throws RalphError.
 */
export function startFollowUp(
  link: TemporalLink,
  deployment: Deployment,
  { runId: previous, options }: { runId: string; options: ResumeOptions },
): Promise<RunRequest> {
  const { ralphHome } = deployment;
  return withChain(ralphHome, previous, async () => {
    const view = await showRun(deployment, previous);
    const prepared = await prepareFollowUp(deployment, view, { options, link });
    await keepAllLate(ralphHome, await chainOf(ralphHome, previous, link));
    const runId = await nextId(link, ralphHome, prepared.request.previous.root);
    const request = RunRequest.parse({ ...prepared.request, runId });
    try {
      await startRun(link, deployment, { request, state: prepared.state });
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== 'run-id-in-use') throw error;
      const wayOut = `Follow it: \`ralph watch ${runId}\`.`;
      throw ralphError('run-continued', { runId: previous, last: runId, wayOut }, { cause: error });
    }
    return request;
  });
}

/** Discarded rounds that could not be kept in the user's repository while it was away are kept there now. */
async function keepAllLate(ralphHome: string, { runs }: Chain): Promise<void> {
  for (const { runId, request } of runs) {
    if (request !== null) await keepLate({ paths: runPaths(ralphHome, runId), request });
  }
}
