import type { RunRequest } from '../../schemas/run/run.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { roundsBegun } from '../../workspaces/records/steps.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { checksOnDisk } from '../view/checks-on-disk.ts';
import type { CheckLine } from '../view/run-view.ts';

/** Tells, whenever it is called, which checks of a run ended since the last time, in order. */
export function checkTeller(ralphHome: string, runId: string): () => Promise<CheckLine[]> {
  const paths = runPaths(ralphHome, runId);
  const told = new Set<string>();
  let request: RunRequest | null = null;
  let from = 0;
  return async () => {
    request ??= await readRequest(paths).catch(() => null);
    if (request === null) return [];
    const last = (await roundsBegun(paths)).at(-1) ?? 0;
    const checks = await checksOnDisk(paths, request, from);
    // The checks of a round are over before the next one begins: what is older needs no second look.
    from = Math.max(from, last - 1);
    const news = checks.filter((check) => check.result !== 'under-way' && !told.has(keyOf(check)));
    for (const check of news) told.add(keyOf(check));
    return news;
  };
}

const keyOf = ({ kind, round, number }: CheckLine): string => `${kind}/${round}/${number}`;
