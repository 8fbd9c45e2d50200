import { access } from 'node:fs/promises';
import { ralphError } from '../schemas/errors/index.ts';
import { diff } from '../workspaces/diff.ts';
import { readOutcome } from '../workspaces/ledger.ts';
import { runPaths } from '../workspaces/run-paths.ts';
import type { Deployment } from './deployment.ts';
import type { RunView } from './run-view.ts';
import { showRun } from './show-run.ts';

/**
 * What a run changed since its base, or what one of its rounds changed, as git prints it. Control characters are left
 * in. Throws RalphError.
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
  const ends = round === null ? wholeRun(run) : await oneRound(run, deployment, round);
  return ends === null ? '' : await diff({ paths, ...ends, stat });
}

interface Ends {
  readonly from: string;
  readonly to: string;
}

/** Null: nothing was committed yet. */
function wholeRun({ base, rounds }: RunView): Ends | null {
  const last = rounds.findLast(({ commit }) => commit !== null);
  if (base === null || last === undefined || last.commit === null) return null;
  return { from: base.commit, to: last.commit };
}

async function oneRound(run: RunView, { ralphHome }: Deployment, round: number): Promise<Ends | null> {
  const { runId, rounds } = run;
  const row = rounds.find((each) => each.round === round);
  if (row === undefined) throw ralphError('no-such-round', { runId, round, rounds: rounds.at(-1)?.round ?? 0 });
  if (row.commit === null) return null;
  const first = await readOutcome(runPaths(ralphHome, runId), round, 1);
  const before = rounds.findLast((each) => each.round < round && each.commit !== null);
  const from = first?.checkpoint?.base ?? before?.commit ?? run.base?.commit ?? null;
  return from === null ? null : { from, to: row.commit };
}
