import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkBudgets } from '../../agents/usage/check-budgets.ts';
import { readPrices } from '../../agents/usage/read-prices.ts';
import { checkAgent } from '../../agents/registry.ts';
import { agentsOf } from '../../schemas/run/agents-of.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { startCommit, type Predecessor, type RunRequest } from '../../schemas/run/run.ts';
import { baselineOf } from '../../workspaces/records/checks.ts';
import { lastRound } from '../../workspaces/records/steps.ts';
import { lastCheckpoint } from '../../workspaces/round/engine-repository.ts';
import { readIdentity } from '../../workspaces/git/read-identity.ts';
import { budgetsLeft, type NewBudgets } from './budgets-left.ts';
import type { Deployment } from '../connect/deployment.ts';
import { refuseResumed } from './refuse-resumed.ts';
import { handoffAfter } from './handoff-after.ts';
import { openClaim } from './open-claim.ts';
import { FALLBACK_IDENTITY, refuseMissing } from '../start/prepare-run.ts';
import { leftBehind } from './left-behind.ts';
import { refuseUnheld } from '../start/refuse-unheld.ts';
import { restingRun, type RestingRun } from '../control/resting-run.ts';
import type { RunView } from '../view/run-view.ts';
import { usedBefore } from '../view/used-before.ts';
import { userNote } from '../start/user-note.ts';
import { wayOutOf } from './way-on.ts';

/** What a person says to a run that goes on. */
export interface ResumeOptions extends NewBudgets {
  readonly note: string | null;
}

/** The request of a successor, but for its id, which Temporal has a say in. */
export type PreparedSuccessor = Omit<RunRequest, 'runId' | 'predecessor'> & {
  readonly predecessor: Predecessor;
};

/**
 * Make the request of a run that goes on from one that has ended: the same objective, agents, sandbox, setup, gates and
 * limits, from its last checkpoint and handoff, with what is left of the budgets or new ones. Nothing is started and
 * nothing is written. Throws RalphError.
 */
export async function prepareSuccessor(
  deployment: Deployment,
  view: RunView,
  { note, ...given }: ResumeOptions,
): Promise<PreparedSuccessor> {
  const { runId } = view;
  if (view.status === 'complete' && view.rollback === null) throw ralphError('run-complete', { runId });
  await refuseResumed(deployment, view);
  const run = await restingRun(deployment, view, { done: 'resumed' });
  if (run.unfinishedRollback !== null) {
    throw ralphError('rollback-half-done', { runId, round: run.unfinishedRollback.to });
  }
  const elsewhere = await leftBehind(deployment, run);
  if (elsewhere !== null) {
    const { runId: other, why } = elsewhere;
    throw ralphError('run-left-behind', { runId, why, wayOut: await wayOutOf(deployment, other) });
  }
  const { request } = run;
  refuseMissing(request.sandbox.readable);
  await refuseUnheld(deployment, request.sandbox);
  const { before, used } = await usedBefore(deployment.ralphHome, run, view.successors);
  const { maxRounds, budgets } = budgetsLeft(used, given, deployment.settings);
  const prices = await readPrices(deployment.ralphHome);
  for (const spec of agentsOf(request)) {
    checkAgent(spec);
    checkBudgets(spec, budgets, prices);
  }
  const said = note === null ? [] : [userNote(note)];
  const { paths, rollback } = run;
  const [round, commit] = [rollback === null ? ((await lastRound(paths)) ?? 0) : rollback.to, await standOf(run)];
  const { userNotes, ...handed } = await handoffAfter(paths, request, round);
  // What was accepted once and taken back all the same is not what was wanted; nor is a check where the user has a word.
  const isTakenBack = before.some(({ ending }) => ending !== null && ending.ending.status === 'complete');
  const isWanted = !isTakenBack && view.status !== 'complete' && note === null && userNotes.length === 0;
  const { runId: _runId, ...frozen } = request;
  return {
    ...frozen,
    limits: { ...request.limits, maxRounds },
    budgets,
    predecessor: {
      runId,
      root: rootOf(request),
      commit,
      ...handed,
      userNotes: [...userNotes, ...said],
      baseline: await baselineOf(paths, request),
      claim: isWanted ? await openClaim(run, { round, commit }) : null,
      recent: used.spent.recent,
    },
    identity: (await readIdentity(request.repository.path)) ?? FALLBACK_IDENTITY,
    requestedAt: new Date().toISOString(),
  };
}

const rootOf = ({ runId, predecessor }: RunRequest): string => (predecessor === null ? runId : predecessor.root);

/** The last checkpoint; where the run never had a workspace, where it was to begin. */
async function standOf({ runId, paths, request }: RestingRun): Promise<string> {
  if (existsSync(join(paths.repository, 'HEAD'))) return lastCheckpoint(paths);
  if ((await lastRound(paths)) === null) return startCommit(request);
  throw ralphError('workspace-gone', { runId, folder: paths.repository });
}
