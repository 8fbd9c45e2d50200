import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Deployment } from '../../../client/connect/deployment.ts';
import { outputsOf, outputWindow, promptOf } from '../../../client/follow/kept-log.ts';
import type { Place } from '../../../client/follow/log-window.ts';
import { answer } from '../answer.ts';
import { runIdOf } from './run-id.ts';

const FromZero = z.coerce.number().int().min(0);
const Window = z.object({ before: FromZero.optional(), from: FromZero.optional() });
const Output = z.object({ name: z.string().max(100), stream: z.enum(['stdout', 'stderr']).default('stdout') });

/** What was printed, and sent, in a round: some lines of it, from the end. */
export function addLogs(app: Hono, deployment: Deployment): void {
  const roundOf = (c: Context) => ({
    deployment,
    runId: runIdOf(c),
    round: FromZero.parse(c.req.param('round')),
  });
  app.get('/api/runs/:run/rounds/:round/outputs', (c) => answer(c, () => outputsOf(roundOf(c))));
  app.get('/api/runs/:run/rounds/:round/log', (c) =>
    answer(c, () => outputWindow({ ...roundOf(c), ...Output.parse(c.req.query()), place: placeOf(c) })),
  );
  app.get('/api/runs/:run/rounds/:round/attempts/:attempt/prompt', (c) =>
    answer(c, () => promptOf({ ...roundOf(c), attempt: FromZero.parse(c.req.param('attempt')), place: placeOf(c) })),
  );
}

function placeOf(c: Context): Place {
  const { before, from } = Window.parse(c.req.query());
  return from === undefined ? { before: before ?? null } : { from };
}
