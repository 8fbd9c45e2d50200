import type { Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import type { Deployment } from '../../../client/connect/deployment.ts';
import { answer } from '../answer.ts';
import { readListParts } from '../watch/list-parts.ts';
import { readRunParts } from '../watch/run-parts.ts';
import { SharedWatch } from '../watch/shared-watch.ts';
import { runIdOf } from './run-id.ts';

/** What changes, as lines of JSON over an answer that does not end: one watch for all that follow the same. */
export function addEvents(app: Hono, deployment: Deployment): { watched: () => readonly string[] } {
  const list = new SharedWatch(readListParts(deployment), () => {});
  const runs = new Map<string, SharedWatch>();
  const watchOf = (runId: string): SharedWatch => {
    const known = runs.get(runId);
    if (known !== undefined) return known;
    const made = new SharedWatch(readRunParts(deployment, runId), () => runs.delete(runId));
    runs.set(runId, made);
    return made;
  };
  app.get('/api/events', (c) => lines(c, list));
  app.get('/api/runs/:run/events', (c) => {
    try {
      return lines(c, watchOf(runIdOf(c)));
    } catch (error) {
      return answer(c, () => Promise.reject(error));
    }
  });
  return { watched: () => [...runs.keys()] };
}

function lines(c: Context, watch: SharedWatch): Response {
  c.header('content-type', 'application/x-ndjson; charset=utf-8');
  return stream(c, async (out) => {
    const gone = new AbortController();
    out.onAbort(() => gone.abort());
    for await (const line of watch.follow(gone.signal)) await out.write(line);
  });
}
