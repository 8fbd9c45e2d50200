import type { Deployment } from '../connect/deployment.ts';
import { diskSummaries } from './disk-run.ts';
import { whenReached } from '../connect/reach.ts';
import type { RunSummary } from './run-view.ts';
import { type KnownRun, summarizeRun } from './summarize-run.ts';
import type { TemporalRun } from './temporal-run.ts';
import type { TemporalLink } from '../connect/connect.ts';

/** All runs, the latest first. `notes`: what a reader must know about where this comes from. */
export async function listRuns(deployment: Deployment): Promise<{ runs: RunSummary[]; notes: string[] }> {
  const [onDisk, { answer: inTemporal, offline }] = await Promise.all([
    diskSummaries(deployment.ralphHome),
    whenReached(deployment, allRuns),
  ]);
  const known = new Map<string, KnownRun>(
    onDisk.map((disk) => [disk.runId, { runId: disk.runId, disk, temporal: null }]),
  );
  let foreign = 0;
  for (const temporal of inTemporal ?? []) {
    const { runId } = temporal;
    if (isForeign(temporal) && !known.has(runId)) {
      foreign += 1;
      continue;
    }
    const before = known.get(runId)?.temporal ?? null;
    // A run that was reset on Temporal's page has an execution that was ended for it, beside the one that counts.
    if (before !== null && isLater(before, temporal)) continue;
    known.set(runId, { runId, disk: known.get(runId)?.disk ?? null, temporal });
  }
  const runs = [...known.values()].map((run) => summarizeRun(run)).toSorted(latestFirst);
  const unknown = runs.some(({ status }) => status === 'unknown');
  const notes: string[] = [];
  if (offline !== null && unknown) {
    notes.push(`${offline.message} Whether runs without an ending go on is unknown.`);
  }
  if (foreign > 0) {
    const what =
      foreign === 1 ? '1 workflow that ralph did not start is' : `${foreign} workflows that ralph did not start are`;
    notes.push(`${what} not listed. Temporal's own page shows them.`);
  }
  return { runs, notes };
}

/** Ids of the runs that have not ended, as Temporal says. */
export async function openRuns(link: TemporalLink): Promise<string[]> {
  const { temporalRuns } = await import('./temporal-run.ts');
  const ids: string[] = [];
  for await (const run of temporalRuns(link, { open: true })) if (!isForeign(run)) ids.push(run.runId);
  return ids.toSorted();
}

/** Whoever starts a run of ours gives it a signed memo; somebody else who reaches the server's port cannot. */
const isForeign = ({ memo }: TemporalRun): boolean => memo === null;

async function allRuns(link: TemporalLink): Promise<TemporalRun[]> {
  const { temporalRuns } = await import('./temporal-run.ts');
  const runs: TemporalRun[] = [];
  for await (const run of temporalRuns(link, { open: false })) runs.push(run);
  return runs;
}

/** Of two executions of a run, the one that goes on, or began later. */
function isLater(a: TemporalRun, b: TemporalRun): boolean {
  const aIsOpen = a.status === 'open';
  return aIsOpen === (b.status === 'open') ? a.startedAt >= b.startedAt : aIsOpen;
}

function latestFirst(a: RunSummary, b: RunSummary): number {
  return (b.startedAt ?? '').localeCompare(a.startedAt ?? '') || a.runId.localeCompare(b.runId);
}
