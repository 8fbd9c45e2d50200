import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Deployment } from '../../../client/connect/deployment.ts';
import { cancelRun } from '../../../client/control/cancel-run.ts';
import { pauseRun } from '../../../client/control/pause-run.ts';
import { raiseRun } from '../../../client/control/raise-run.ts';
import { resumePaused } from '../../../client/control/resume-paused.ts';
import { retryRun } from '../../../client/control/retry-run.ts';
import { stopRun } from '../../../client/control/stop-run.ts';
import { ensureServices } from '../../../client/connect/ensure-services.ts';
import { stopText } from '../../../client/describe/control-words.ts';
import { startFollowUp } from '../../../client/resume/follow-up-run.ts';
import { showRun } from '../../../client/view/show-run.ts';
import { Budgets, noBudgets } from '../../../schemas/budget/budget.ts';
import { answer } from '../answer.ts';
import { runIdOf } from './run-id.ts';

const Nothing = z.strictObject({});
const Pause = z.strictObject({ now: z.boolean() });
const Cancel = z.strictObject({ reason: z.string().min(1).max(4_096).nullable() });
const Resume = z.strictObject({ note: z.string().min(1).max(4_096).nullable() });
const Raise = z.strictObject({ rounds: z.int().positive().nullable(), budgets: Budgets });

/** What came of an action, in the words of the command line. `runId`: of a follow-up that it started. */
interface Done {
  readonly lines: readonly string[];
  readonly runId: string | null;
}

interface Order {
  readonly deployment: Deployment;
  readonly runId: string;
  readonly onNote: (text: string) => void;
}

/** What a person can ask of a run, done by the functions that the commands call. */
export function addActions(app: Hono, reopen: () => Promise<Deployment>): void {
  const add = <Body>(verb: string, body: z.ZodType<Body>, act: (order: Order, body: Body) => Promise<Done>): void => {
    app.post(`/api/runs/:run/${verb}`, (c) =>
      answer(c, async () => {
        const notes: string[] = [];
        const asked = body.parse(await bodyOf(c));
        const order = {
          deployment: await reopen(),
          runId: runIdOf(c),
          onNote: (text: string) => void notes.push(text),
        };
        return { ...(await act(order, asked)), notes };
      }),
    );
  };
  add('pause', Pause, async (order, { now }) => {
    const { text, disposal } = await pauseRun({ ...order, now });
    return { lines: [text, ...disposal], runId: null };
  });
  add('stop', Nothing, async (order) => {
    const after = await stopRun(order);
    return { lines: [after.status === 'open' ? stopText(after) : `${order.runId} has ended.`], runId: null };
  });
  add('retry', Nothing, async (order) => ({ lines: [await retryRun(order, () => Date.now())], runId: null }));
  add('resume', Resume, resume);
  add('cancel', Cancel, async (order, { reason }) => {
    const cancelled = await cancelRun({ ...order, reason });
    if (cancelled.kind === 'ended') return { lines: [cancelled.text], runId: null };
    await cancelled.link.close();
    return { lines: [`The cancel is sent. ${order.runId} ends when nothing of it is left.`], runId: null };
  });
  add('budget', Raise, async (order, added) => {
    const { added: text, unlimited, counts } = await raiseRun(order, added);
    const lines = [...(text === null ? [] : [`Added: ${text}`]), ...unlimited, ...(counts === null ? [] : [counts])];
    return { lines, runId: null };
  });
}

/** Resume a paused run, or start a follow-up of one that has ended. */
async function resume(order: Order, { note }: z.infer<typeof Resume>): Promise<Done> {
  const { deployment, runId, onNote } = order;
  const { phase } = await showRun(deployment, runId);
  if (phase.kind !== 'ended') return { lines: [(await resumePaused(order)).text], runId: null };
  const link = await ensureServices(deployment, { worker: 'where-embedded', first: null, onNote });
  try {
    const options = { note, maxRounds: null, budgets: noBudgets };
    const request = await startFollowUp(link, deployment, { runId, options });
    return { lines: [`${request.runId} continues ${runId}.`], runId: request.runId };
  } finally {
    await link.close();
  }
}

/** Undefined, which no schema accepts, where it is no JSON. */
const bodyOf = (c: Context): Promise<unknown> => c.req.json().catch(() => undefined);
