import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Steer } from '../../schemas/loop/steering.ts';
import { steerSignal } from '../../workflows/messages.ts';
import type { TemporalLink } from '../connect/connect.ts';
import { describeRun, type TemporalRun } from '../view/temporal-run.ts';

const POLL_MS = 100;

/** Tell a live run something. Nothing is done where it has ended. */
export async function steerRun(link: TemporalLink, runId: string, steer: Steer): Promise<void> {
  try {
    await link.client.workflow.getHandle(runId).signal(steerSignal, steer);
  } catch (error) {
    // Said of a workflow that has ended, too.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The run once it is as wanted, or has ended; else as it is when the time is up. Null: Temporal does not know it. */
export async function runOnce(
  link: TemporalLink,
  runId: string,
  wanted: { readonly is: (run: TemporalRun) => boolean; readonly withinMs: number },
): Promise<TemporalRun | null> {
  const deadline = Date.now() + wanted.withinMs;
  for (;;) {
    const run = await describeRun(link, runId);
    if (run === null || run.status !== 'open' || wanted.is(run) || Date.now() > deadline) return run;
    await sleep(POLL_MS);
  }
}
