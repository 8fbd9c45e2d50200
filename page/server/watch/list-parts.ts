import type { Deployment } from '../../../client/connect/deployment.ts';
import { describeServices } from '../../../client/connect/services.ts';
import { listRuns } from '../../../client/view/list-runs.ts';
import { withStatus } from '../../../client/view/run-view.ts';
import { showRun } from '../../../client/view/show-run.ts';
import { documentText } from '../answer.ts';
import { digestOf } from './run-digest.ts';
import { problemParts } from './run-parts.ts';
import type { ReadParts } from './shared-watch.ts';

const REST_MS = 1_000;
/** Runs that are sent at first: what a reader sees. All others come right after. */
const FIRST = 200;
/** Digests that are made before the list is shown again. */
const AT_ONCE = 40;
const REST_FOR_WORK = 4;

/**
 * The list of all runs, in parts: `run/<id>` as in `ralph list`, `digest/<id>` with what a row shows beside it, `order`,
 * `notes` and `services`. The latest runs come first, then all, then their digests.
 */
export function readListParts(deployment: Deployment): ReadParts {
  const digests = new Map<string, { readonly of: string; readonly text: string }>();
  let limit: number | null = FIRST;
  return async ({ signal }) => {
    const began = performance.now();
    try {
      const [{ runs, total, notes }, services] = await Promise.all([
        listRuns(deployment, limit),
        describeServices(deployment),
      ]);
      const isWhole = runs.length === total;
      limit = null;
      const parts = new Map<string, string>();
      parts.set('order', JSON.stringify(runs.map(({ runId }) => runId)));
      parts.set('notes', documentText({ notes, total }));
      parts.set('services', documentText(services));
      for (const run of runs) parts.set(`run/${run.runId}`, documentText(withStatus(run)));
      let made = 0;
      for (const { runId, phase } of isWhole ? runs : []) {
        const of = parts.get(`run/${runId}`) ?? '';
        const known = digests.get(runId);
        const isFresh = known !== undefined && known.of === of && phase.kind !== 'live';
        if (!isFresh && made < AT_ONCE && !signal.aborted) {
          made += 1;
          // A run whose files are damaged is listed without a digest.
          const digest = await showRun(deployment, runId).then(digestOf, () => null);
          if (digest !== null) digests.set(runId, { of, text: documentText(digest) });
        }
        const shown = digests.get(runId);
        if (shown !== undefined) parts.set(`digest/${runId}`, shown.text);
      }
      const took = performance.now() - began;
      return { parts, restMs: made === AT_ONCE || !isWhole ? 0 : Math.max(REST_MS, took * REST_FOR_WORK) };
    } catch (error) {
      return { parts: problemParts(error), restMs: REST_MS };
    }
  };
}
