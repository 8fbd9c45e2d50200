import { workerState } from '../../host/worker-process/worker-process.ts';
import { RalphError } from '../../schemas/errors/index.ts';
import { rootOf } from '../../schemas/run/run.ts';
import type { Deployment } from '../connect/deployment.ts';
import { whenReached } from '../connect/reach.ts';
import { neverWorks } from '../view/impossible-gates.ts';
import { hasStarting } from '../view/chain.ts';
import { requestOf, type RunView, statusOf } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';
import { budgetFlags } from './budget-flags.ts';
import { chainOf, isDiscarded, type Chain } from './chain.ts';
import { endedRun } from './ended-run.ts';
import { usedOfChain } from './budgets-left.ts';
import { resumePoint } from './read-state.ts';

/** How to continue a run that has ended: with the one command that is not rejected, or not at all. */
export type ResumeAdvice =
  | {
      readonly kind: 'resume';
      /** The run to resume: the last one of the chain. */
      readonly runId: string;
      readonly command: string;
      /** Why it is another run; null: it is this one. */
      readonly because: string | null;
    }
  | {
      readonly kind: 'none';
      /** What a reader must know about it. */
      readonly notes: readonly string[];
    };

const none: ResumeAdvice = { kind: 'none', notes: [] };

/** The one place that decides which `ralph resume` is printed. It reads what that depends on; it starts and writes nothing. */
export async function resumeAdvice(deployment: Deployment, view: RunView): Promise<ResumeAdvice> {
  const { ralphHome } = deployment;
  const { runId } = view;
  if (view.phase.kind !== 'ended') return none;
  try {
    const chain = (await chainWithStarting(deployment, view)) ?? (await chainOf(ralphHome, runId, null));
    const { last } = chain;
    if (last === runId) return await adviceForLast(deployment, view, chain);
    const advice = await adviceForLast(deployment, await showRun(deployment, last), chain);
    if (advice.kind === 'none') return advice;
    const because = isDiscarded(chain, runId)
      ? `${runId} was rolled back to its beginning`
      : `${runId} was already continued as ${last}`;
    return { ...advice, because };
  } catch (error) {
    if (error instanceof RalphError) return none;
    throw error;
  }
}

/**
 * The chain with a run that Temporal alone knows of. Null: there can be none, or Temporal cannot be asked. A worker that
 * is ready gives a run its folder at once, and then nobody has to be asked: loading Temporal's client takes longest.
 */
async function chainWithStarting(deployment: Deployment, view: RunView): Promise<Chain | null> {
  const { ralphHome, settings } = deployment;
  const { runId } = view;
  const request = requestOf(view);
  const isHere = settings.server.source === 'embedded' && (await workerState(ralphHome)).kind === 'ready';
  if (isHere && !hasStarting(ralphHome, request === null ? runId : rootOf(request))) return null;
  return (await whenReached(deployment, (link) => chainOf(ralphHome, runId, link))).answer;
}

/** Throws RalphError if a resume would be rejected whatever its options are. */
async function adviceForLast(deployment: Deployment, view: RunView, chain: Chain): Promise<ResumeAdvice> {
  const { runId, phase } = view;
  if (phase.kind !== 'ended') return none;
  const run = await endedRun(deployment, view, { done: 'resumed', withinMs: 0 });
  if (run.unfinished !== null || (statusOf(phase) === 'complete' && run.rollback === null)) return none;
  const notes = neverWorks(deployment, view, run.request);
  if (notes !== null) return { kind: 'none', notes };
  const { final } = await resumePoint(run, null);
  const used = await usedOfChain(deployment.ralphHome, { runId, final, chain });
  const flags = budgetFlags(run.ending?.ending ?? null, used, deployment.settings);
  return { kind: 'resume', runId, command: `ralph resume ${runId}${flags}`, because: null };
}

/** For an error: the command that works instead of the rejected one. */
export async function commandInstead(deployment: Deployment, runId: string): Promise<string> {
  const advice = await resumeAdvice(deployment, await showRun(deployment, runId));
  return advice.kind === 'resume' ? `\`${advice.command}\`` : `\`ralph why ${runId}\` says what can be done`;
}
