import { access } from 'node:fs/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import { diff } from '../../workspaces/git/diff.ts';
import { startCommit } from '../../schemas/run/run.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import type { Deployment } from '../connect/deployment.ts';
import { requestOf, rolledBackRounds, type RunView } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';

/**
 * What a run, with those that it continues, changed since the base, or what one of its rounds changed, as git prints
 * it. Control characters are left in. Throws RalphError.
 */
export async function diffRun(
  deployment: Deployment,
  what: { runId: string; round: number | null; stat: boolean },
): Promise<string> {
  const { runId, round, stat } = what;
  const run = await showRun(deployment, runId);
  const paths = runPaths(deployment.ralphHome, runId);
  try {
    await access(paths.repository);
  } catch (error) {
    throw ralphError('workspace-gone', { runId, folder: paths.repository }, { cause: error });
  }
  const ends = round === null ? wholeChain(run) : await oneRound(run, deployment, round);
  return ends === null ? '' : await diff({ paths, ...ends, stat });
}

interface Ends {
  readonly from: string;
  readonly to: string;
}

/** Null: nothing was committed yet. */
function wholeChain(run: RunView): Ends | null {
  const request = requestOf(run);
  if (request === null) return null;
  const last = run.rounds.findLast(({ commit }) => commit !== null);
  return { from: request.repository.commit, to: last?.commit ?? startCommit(request) };
}

async function oneRound(run: RunView, { ralphHome }: Deployment, round: number): Promise<Ends | null> {
  const { runId, rounds } = run;
  const row = [...rounds, ...rolledBackRounds(run.rollback)].find((each) => each.round === round);
  if (row === undefined) throw ralphError('no-such-round', { runId, round, rounds: rounds.at(-1)?.round ?? 0 });
  if (row.commit === null) return null;
  const first = await readOutcome(runPaths(ralphHome, runId), round, 1);
  const before = rounds.findLast((each) => each.round < round && each.commit !== null);
  const from = first?.checkpoint?.base ?? before?.commit ?? requestOf(run)?.repository.commit ?? null;
  return from === null ? null : { from, to: row.commit };
}
