import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RalphError } from '../../schemas/errors/index.ts';
import { lastRound } from '../../workspaces/records/steps.ts';
import type { Deployment } from '../connect/deployment.ts';
import { lastThatCounts } from './gone-on-from.ts';
import { leftBehind, type LineElsewhere } from './left-behind.ts';
import { neverWorks } from '../view/never-works.ts';
import { restingRun, type RestingRun } from '../control/resting-run.ts';
import { resumeFlags } from './resume-flags.ts';
import { isLive } from '../view/run-status.ts';
import type { RunView } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';
import { usedBefore } from '../view/used-before.ts';

/** How to go on from a run that has ended: by the one command that is not refused, or not at all. */
export type WayOn =
  | {
      readonly kind: 'resume';
      /** The run that is resumed: this one, or the one where its line stands. */
      readonly runId: string;
      readonly command: string;
      /** Why it is another one; null: it is not. */
      readonly because: string | null;
    }
  | {
      readonly kind: 'none';
      /** What a reader is to know of it. */
      readonly notes: readonly string[];
    };

const nowhere: WayOn = { kind: 'none', notes: [] };

/** The one place that decides which `ralph resume` is printed. It reads what that goes by, and starts and writes nothing. */
export const wayOn = (deployment: Deployment, view: RunView): Promise<WayOn> => wayFrom(deployment, view, []);

/** @param seen runs whose line stands elsewhere: none of them is come to again */
async function wayFrom(deployment: Deployment, view: RunView, seen: readonly string[]): Promise<WayOn> {
  const { runId, status, rollback, unfinishedRollback, successors } = view;
  if (isLive(status) || status === 'unknown' || unfinishedRollback !== null || seen.includes(runId)) return nowhere;
  if (status === 'complete' && rollback === null) return nowhere;
  try {
    const run = await restingRun(deployment, view, { done: 'resumed', withinMs: 0 });
    const other = await elsewhere(deployment, { run, successors });
    if (other !== null) {
      const way = await wayFrom(deployment, await showRun(deployment, other.runId), [...seen, runId]);
      return way.kind === 'resume' ? { ...way, because: other.why } : way;
    }
    const never = neverWorks(deployment, view, run.request);
    if (never !== null) return { kind: 'none', notes: never };
    if (!existsSync(join(run.paths.repository, 'HEAD')) && (await lastRound(run.paths)) !== null) return nowhere;
    const { used } = await usedBefore(deployment.ralphHome, run, successors);
    return {
      kind: 'resume',
      runId,
      command: `ralph resume ${runId}${resumeFlags(view.ending, used, deployment.settings)}`,
      because: null,
    };
  } catch (error) {
    if (error instanceof RalphError) return nowhere;
    throw error;
  }
}

/** For an error: the command that works in the place of one that was refused. */
export async function wayOutOf(deployment: Deployment, runId: string): Promise<string> {
  const way = await wayOn(deployment, await showRun(deployment, runId));
  return way.kind === 'resume' ? `\`${way.command}\`` : `\`ralph why ${runId}\` tells what can be done`;
}

/** Where the line of a run stands, if not at this one. */
async function elsewhere(
  deployment: Deployment,
  { run, successors }: { run: RestingRun; successors: readonly string[] },
): Promise<LineElsewhere | null> {
  const later = await lastThatCounts(deployment, successors);
  if (later !== null) return { runId: later, why: `${later} goes on from it` };
  return leftBehind(deployment, run);
}
