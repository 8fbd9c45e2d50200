import type { Hono } from 'hono';
import { z } from 'zod';
import type { Deployment } from '../../../client/connect/deployment.ts';
import { describeServices } from '../../../client/connect/services.ts';
import { describeRun } from '../../../client/describe/describe-run.ts';
import { diffRun } from '../../../client/follow/diff-run.ts';
import { listRuns } from '../../../client/view/list-runs.ts';
import { statusOf, withStatus } from '../../../client/view/run-view.ts';
import { showRound } from '../../../client/view/show-round.ts';
import { showRun } from '../../../client/view/show-run.ts';
import { whyRun } from '../../../client/view/why-run.ts';
import { answer } from '../answer.ts';
import { runIdOf } from './run-id.ts';

/** More than that no reader reads, and a browser takes seconds for it. */
const DIFF_CHARS = 4 * 1024 * 1024;
const Round = z.coerce.number().int().min(0);

/** The documents of `--json`, made by the functions that the commands call. */
export function addDocuments(app: Hono, deployment: Deployment): void {
  app.get('/api/runs', (c) =>
    answer(c, async () => {
      const { runs, total, notes } = await listRuns(deployment, null);
      return { runs: runs.map((run) => withStatus(run)), total, notes };
    }),
  );
  app.get('/api/services', (c) => answer(c, () => describeServices(deployment)));
  app.get('/api/runs/:run', (c) => answer(c, async () => withStatus(await showRun(deployment, runIdOf(c)))));
  app.get('/api/runs/:run/rounds/:round', (c) =>
    answer(c, () => showRound(deployment, runIdOf(c), Round.parse(c.req.param('round')))),
  );
  app.get('/api/runs/:run/why', (c) =>
    answer(c, async () => {
      const known = await whyRun(deployment, runIdOf(c));
      const { runId, phase } = known.run;
      return { runId, status: statusOf(phase), ...describeRun({ ...known, now: Date.now() }) };
    }),
  );
  app.get('/api/runs/:run/diff', (c) =>
    answer(c, async () => {
      const round = c.req.query('round');
      const asked = { runId: runIdOf(c), round: round === undefined ? null : Round.parse(round), stat: false };
      const text = await diffRun(deployment, asked);
      return { text: text.slice(0, DIFF_CHARS), cut: Math.max(0, text.length - DIFF_CHARS) };
    }),
  );
}
