import type { TemporalLink } from '../../client/connect/connect.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import type { TemporalRun } from '../../client/view/temporal-run.ts';
import { type RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { Steer } from '../../schemas/loop/steering.ts';
import type { CommandContext } from '../context.ts';
import { hasEnded } from '../exit-codes.ts';

/** What a live run is to be told. */
interface Order {
  /** Null: nothing, as it turns out. */
  readonly steer: Steer | null;
  /** Called once it was told. */
  readonly told?: () => Promise<void>;
  /** Whether the run is seen to have done what it was told. */
  readonly obeyed: (run: TemporalRun) => boolean;
  /** How long that is waited for. */
  readonly withinMs: number;
}

/**
 * Tell a live run something and wait, bounded, until it is seen to have obeyed. The run is told before a worker is
 * started: it must not do first what it was told not to. Returns the run before and after. Throws RalphError where it
 * has ended.
 * @param done what it is to be: "paused", "stopped", …
 * @param orderFor what to tell it, by how it stands; may throw
 */
export async function steerLive(
  how: { context: CommandContext; deployment: Deployment; runId: string; done: string },
  orderFor: (before: TemporalRun) => Order,
): Promise<{ before: TemporalRun; after: TemporalRun }> {
  const { context, deployment, runId, done } = how;
  // Of what ended long ago the disk tells, and nothing needs to be started.
  const { showRun } = await import('../../client/view/show-run.ts');
  const { status } = await showRun(deployment, runId);
  if (hasEnded(status)) throw await ended(deployment, { runId, status, done });

  const { ensureServices } = await import('../../client/connect/ensure-services.ts');
  const { describeRun } = await import('../../client/view/temporal-run.ts');
  const { runOnce, steerRun } = await import('../../client/control/steer-run.ts');
  const told: { before: TemporalRun; order: Order }[] = [];
  const tell = async (link: TemporalLink): Promise<void> => {
    const before = await describeRun(link, runId);
    if (before === null || before.status !== 'open')
      throw await ended(deployment, { runId, status: before?.memo?.status ?? 'or is forgotten', done });
    const order = orderFor(before);
    if (order.steer !== null) {
      await steerRun(link, runId, order.steer);
      await order.told?.();
    }
    told.push({ before, order });
  };
  const link = await ensureServices(deployment, {
    worker: 'where-embedded',
    first: async (reached) => {
      try {
        await tell(reached);
      } catch (error) {
        await reached.close();
        throw error;
      }
    },
    onNote: (text) => context.terminal.note(text),
  });
  try {
    const [said] = told;
    if (said === undefined) throw new Error('the run was told nothing');
    const { before, order } = said;
    const after = await runOnce(link, runId, { is: order.obeyed, withinMs: order.withinMs });
    return { before, after: after ?? before };
  } finally {
    await link.close();
  }
}

async function ended(
  deployment: Deployment,
  { runId, status, done }: { runId: string; status: string; done: string },
): Promise<RalphError> {
  const { showRun } = await import('../../client/view/show-run.ts');
  const { wayOn } = await import('../../client/resume/way-on.ts');
  const way = await wayOn(deployment, await showRun(deployment, runId));
  const why = `\`ralph why ${runId}\` tells why.`;
  const goOn =
    way.kind === 'none'
      ? ''
      : ` \`${way.command}\` starts a run that goes on from ${way.runId === runId ? 'it' : way.runId}.`;
  return ralphError('run-ended', { runId, status, done, wayOut: why + goOn });
}
