import { z } from 'zod';
import { exists } from '../../system/exists.ts';
import { readJson, writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { type RunPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import type { TemporalLink } from '../connect/connect.ts';

/** `successors.json`: ids that were taken for runs that go on from this one, whether or not they came to start. */
const Successors = z.strictObject({ runIds: z.array(z.string()) });

async function taken(paths: RunPaths): Promise<readonly string[]> {
  const record = await readJson(paths.successors, Successors);
  return record === null ? [] : record.runIds;
}

/** Write down that a run is about to start that goes on from this one. */
export async function noteSuccessor(paths: RunPaths, runId: string): Promise<void> {
  const runIds = new Set([...(await taken(paths)), runId]);
  await writeJsonAtomically(paths.successors, { runIds: [...runIds] } satisfies z.infer<typeof Successors>);
}

/** The runs that go on from this one and have files here, in the order in which they started. */
export function successorsOnDisk(ralphHome: string, runId: string): Promise<string[]> {
  return successorsKnown(ralphHome, runId, () => Promise.resolve(false));
}

/** The same, with those that have no files yet. */
export async function knownSuccessors(link: TemporalLink, ralphHome: string, runId: string): Promise<string[]> {
  const { describeRun } = await import('../view/temporal-run.ts');
  return successorsKnown(ralphHome, runId, async (id) => (await describeRun(link, id)) !== null);
}

async function successorsKnown(
  ralphHome: string,
  runId: string,
  isKnown: (runId: string) => Promise<boolean>,
): Promise<string[]> {
  const known: string[] = [];
  for (const id of await taken(runPaths(ralphHome, runId))) {
    if ((await exists(runPaths(ralphHome, id).root)) || (await isKnown(id))) known.push(id);
  }
  return known;
}
