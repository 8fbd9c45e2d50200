import type { ServicesView } from '../../../client/connect/services.ts';
import type { RunSummary, ShownStatus } from '../../../client/view/run-view.ts';
import type { RunDigest } from '../../server/watch/run-digest.ts';
import type { Parts } from '../link/follow-parts.ts';

export interface ListedRun {
  readonly run: RunSummary & { readonly status: ShownStatus };
  /** Null: it is still being read. */
  readonly digest: RunDigest | null;
}

export interface ListDocument {
  readonly runs: readonly ListedRun[];
  readonly notes: readonly string[];
  readonly services: ServicesView | null;
  readonly problem: string | null;
}

/** The list as its parts tell it (`page/server/watch/list-parts.ts`). */
export function listDocument(parts: Parts): ListDocument {
  const order = part<readonly string[]>(parts, 'order') ?? [];
  const runs: ListedRun[] = [];
  for (const runId of order) {
    const run = part<ListedRun['run']>(parts, `run/${runId}`);
    if (run !== null) runs.push({ run, digest: part<RunDigest>(parts, `digest/${runId}`) });
  }
  return {
    runs,
    notes: part<{ notes: readonly string[] }>(parts, 'notes')?.notes ?? [],
    services: part<ServicesView>(parts, 'services'),
    problem: part<{ message: string }>(parts, 'problem')?.message ?? null,
  };
}

/** Sent by our own server, whose types these are. */
export function part<Part>(parts: Parts, name: string): Part | null;
export function part(parts: Parts, name: string): unknown {
  return parts.get(name) ?? null;
}
