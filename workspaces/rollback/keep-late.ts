import { RalphError } from '../../schemas/errors/index.ts';
import type { Rollback, Rollbacks } from '../../schemas/run/rollback.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { writeJsonAtomically } from '../records/json-file.ts';
import { keepInUsers } from './keep-in-users.ts';
import { readRollbacks } from './roll-back.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** Place in the user's repository what a run's rollbacks could not keep there, as it was away; else they stay as they are. */
export async function keepLate(asked: { paths: RunPaths; request: RunRequest }): Promise<void> {
  const { paths } = asked;
  const before = await readRollbacks(paths);
  if (before.every(({ kept }) => kept)) return;
  const rollbacks: Rollback[] = [];
  for (const each of before)
    rollbacks.push(each.kept || !each.done ? each : { ...each, kept: await isKept(asked, each) });
  await writeJsonAtomically(paths.rollbacks, { rollbacks } satisfies Rollbacks);
}

async function isKept(
  { paths, request }: { paths: RunPaths; request: RunRequest },
  { keptAt, abandoned }: Rollback,
): Promise<boolean> {
  try {
    return (await keepInUsers({ paths, request, ref: keptAt, commit: abandoned })) === null;
  } catch (error) {
    if (error instanceof RalphError && error.code === 'rollback-not-kept') return false;
    throw error;
  }
}
