import { type RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { Control } from '../../schemas/loop/control.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';
import { ensureServices } from '../connect/ensure-services.ts';
import { resumeAdvice } from '../resume/resume-advice.ts';
import { statusOf } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';
import { describeRun, type TemporalRun } from '../view/temporal-run.ts';
import { awaitRun, sendControl } from './controls.ts';

/** What is asked of a live run. */
export interface Asked {
  readonly deployment: Deployment;
  readonly runId: string;
  /** What is to be done with the run: "paused", "stopped", … */
  readonly done: string;
  readonly onNote: (text: string) => void;
}

/** A control for a live run, and how to see its effect. */
interface Order {
  /** Null: there turns out to be nothing to send. */
  readonly control: Control | null;
  /** Called after it was sent. */
  readonly sent?: () => Promise<void>;
  /** Whether the run shows the effect. */
  readonly applied: (run: TemporalRun) => boolean;
  /** How long to wait for the effect. */
  readonly withinMs: number;
}

/**
 * Send a control to a live run and wait, bounded, until the effect shows. The control is sent before a worker is started,
 * so that the run does not first do what the control forbids. Returns the run before and after. Throws RalphError
 * `run-ended` if it has ended before that.
 * @param orderFor the control, given the run's state; may throw
 */
export async function controlRun(
  asked: Asked,
  orderFor: (before: TemporalRun) => Order,
): Promise<{ before: TemporalRun; after: TemporalRun }> {
  const { deployment, runId, onNote } = asked;
  // For a run that ended long ago the disk is enough, and nothing needs to be started.
  const { phase } = await showRun(deployment, runId);
  if (phase.kind === 'ended') throw await runEnded(asked, statusOf(phase));

  const sent: { before: TemporalRun; order: Order }[] = [];
  const send = async (link: TemporalLink): Promise<void> => {
    const before = await describeRun(link, runId);
    if (before === null) throw await runEnded(asked, 'unknown to Temporal');
    if (before.status !== 'open') throw await runEnded(asked, before.memo?.status ?? before.status);
    const order = orderFor(before);
    if (order.control !== null) {
      await sendControl(link, before, order.control);
      await order.sent?.();
    }
    sent.push({ before, order });
  };
  const link = await ensureServices(deployment, {
    worker: 'where-embedded',
    first: async (reached) => {
      try {
        await send(reached);
      } catch (error) {
        await reached.close();
        throw error;
      }
    },
    onNote,
  });
  try {
    const [last] = sent;
    if (last === undefined) throw new Error(`no control was sent to ${runId}`);
    const { before, order } = last;
    const after = await awaitRun(link, runId, { is: order.applied, withinMs: order.withinMs });
    return { before, after: after ?? before };
  } finally {
    await link.close();
  }
}

/** The error for a control that comes too late. */
export async function runEnded(
  { deployment, runId, done }: { deployment: Deployment; runId: string; done: string },
  status: string,
): Promise<RalphError> {
  const advice = await resumeAdvice(deployment, await showRun(deployment, runId));
  const why = `\`ralph why ${runId}\` says why.`;
  const next =
    advice.kind === 'none'
      ? ''
      : ` \`${advice.command}\` starts a run that continues ${advice.runId === runId ? 'it' : advice.runId}.`;
  return ralphError('run-ended', { runId, status, done, wayOut: why + next });
}
