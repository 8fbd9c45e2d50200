import type { ServicesView } from '../../../client/connect/services.ts';
import type { RunSummary, ShownStatus } from '../../../client/view/run-view.ts';
import type { RunDigest } from '../../server/watch/run-digest.ts';
import type { Parts } from '../link/follow-parts.ts';
import { typedParts } from '../link/typed-parts.ts';

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

interface ListParts {
  readonly order: readonly string[];
  readonly notes: { readonly notes: readonly string[] };
  readonly services: ServicesView;
  readonly problem: { readonly message: string };
  readonly [run: `run/${string}`]: ListedRun['run'];
  readonly [digest: `digest/${string}`]: RunDigest;
}

/** The list as its parts tell it (`page/server/watch/list-parts.ts`). */
export function listDocument(parts: Parts): ListDocument {
  const part = typedParts<ListParts>(parts);
  const runs: ListedRun[] = [];
  for (const runId of part('order') ?? []) {
    const run = part(`run/${runId}`);
    if (run !== null) runs.push({ run, digest: part(`digest/${runId}`) });
  }
  return {
    runs,
    notes: part('notes')?.notes ?? [],
    services: part('services'),
    problem: part('problem')?.message ?? null,
  };
}
