import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { ralphError } from '../../schemas/errors/index.ts';
import { MAX_CONTROLS, type Control } from '../../schemas/loop/control.ts';
import { cancelReasonSignal, controlSignal } from '../../workflows/messages.ts';
import type { TemporalLink } from '../connect/connect.ts';
import { describeRun, type TemporalRun } from '../view/temporal-run.ts';

const POLL_MS = 100;

/**
 * Send a control to a live run. Does nothing if the run has ended. Throws RalphError `no-controls-left` if the run takes
 * no more controls.
 */
export async function sendControl(
  link: Pick<TemporalLink, 'client'>,
  run: Pick<TemporalRun, 'runId' | 'memo'>,
  control: Control,
): Promise<void> {
  const { runId, memo } = run;
  if (memo !== null && memo.controlsTaken >= MAX_CONTROLS) {
    throw ralphError('no-controls-left', { runId, limit: MAX_CONTROLS });
  }
  await unlessEnded(link.client.workflow.getHandle(runId).signal(controlSignal, { nonce: randomUUID(), control }));
}

/** Ask Temporal to cancel a run, with the user's reason. Does nothing if the run has ended. */
export async function requestCancel(link: TemporalLink, runId: string, reason: string | null): Promise<void> {
  const handle = link.client.workflow.getHandle(runId);
  if (reason !== null) await unlessEnded(handle.signal(cancelReasonSignal, reason));
  await unlessEnded(handle.cancel());
}

/** Temporal says "not found" of a workflow that has ended, too. */
async function unlessEnded(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The run once it is as wanted or has ended; when the time is up, as it is then. Null: Temporal does not know it. */
export async function awaitRun(
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
