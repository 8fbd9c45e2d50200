import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../../../client/connect/deployment.ts';
import { describeRun } from '../../../client/describe/describe-run.ts';
import { type Phase, statusOf, withStatus } from '../../../client/view/run-view.ts';
import { whyRun } from '../../../client/view/why-run.ts';
import { documentText, problemOf } from '../answer.ts';
import { type LiveTail, liveTail } from './live-tail.ts';
import type { Parts } from './parts.ts';
import type { ReadParts } from './shared-watch.ts';

const LIVE_MS = 250;
const ENDED_MS = 2_000;
/** A large run is read less often, so that its readers do not cost a core. */
const REST_FOR_WORK = 4;

/** Between two looks at what is printed. */
const TAIL_MS = 30;

/**
 * The documents of `ralph show` and `ralph why` of a run, in parts: `run/<field>`, `round/<n>`, `check/<i>`, `why`, and
 * `line/<offset>` for the last lines of what is printed right now. `problem`: it cannot be shown.
 */
export function readRunParts(deployment: Deployment, runId: string): ReadParts {
  let tail: LiveTail | null = null;
  let known: { readonly phase: Phase; readonly parts: Parts; readonly until: number } | null = null;
  return async ({ signal, again }) => {
    tail ??= liveTail(deployment, runId, { signal, onNews: again });
    try {
      if (known === null || performance.now() >= known.until) {
        const began = performance.now();
        const read = await documents(deployment, runId);
        const restMs = Math.max(
          read.phase.kind === 'ended' ? ENDED_MS : LIVE_MS,
          (performance.now() - began) * REST_FOR_WORK,
        );
        known = { ...read, until: performance.now() + restMs };
      }
      const { phase, parts, until } = known;
      const lines = await tail.read(phase);
      // What is printed right now wakes this early; then only that is read.
      await delay(TAIL_MS, null, { signal }).catch(() => undefined);
      return { parts: new Map([...parts, ...lines]), restMs: Math.max(0, until - performance.now()) };
    } catch (error) {
      known = null;
      return { parts: problemParts(error), restMs: ENDED_MS };
    }
  };
}

async function documents(deployment: Deployment, runId: string): Promise<{ phase: Phase; parts: Parts }> {
  const known = await whyRun(deployment, runId);
  const { run } = known;
  const { rounds, checks, ...fields } = withStatus(run);
  const parts = new Map<string, string>();
  for (const [field, value] of Object.entries(fields)) parts.set(`run/${field}`, documentText(value));
  for (const row of rounds) parts.set(`round/${row.round}`, documentText(row));
  for (const [i, row] of checks.entries()) parts.set(`check/${i}`, documentText(row));
  const description = describeRun({ ...known, now: Date.now() });
  parts.set('why', documentText({ runId, status: statusOf(run.phase), ...description }));
  return { phase: run.phase, parts };
}

export const problemParts = (error: unknown): Parts => new Map([['problem', documentText(problemOf(error).problem)]]);
