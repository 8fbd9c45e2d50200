import type { Context } from 'hono';
import { ralphError } from '../../../schemas/errors/index.ts';
import { RunId } from '../../../schemas/run/run.ts';

/** The run of a request. Anything that is no id is no run, and above all no path. Throws RalphError `no-such-run`. */
export function runIdOf(context: Context): string {
  const given = context.req.param('run') ?? '';
  const runId = RunId.safeParse(given);
  if (!runId.success) throw ralphError('no-such-run', { runId: given.slice(0, 100), nearest: [] });
  return runId.data;
}
