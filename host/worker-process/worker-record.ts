import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { homePaths } from '../home-paths.ts';
import { SandboxLevel } from '../../schemas/run/sandbox.ts';
import { isSame, ownIdentity, HolderIdentity } from '../locks/holder-identity.ts';
import { readIfValid } from '../read-if-valid.ts';
import { writeTextAtomically } from '../../system/write-atomically.ts';
import { liveHolder } from '../locks/service.ts';

/** `worker.json`: a worker that is ready for work. */
export const WorkerRecord = HolderIdentity.extend({
  hostId: z.string(),
  /** Of this package. */
  version: z.string(),
  /** Names of the keys for agents that it has; never their values. */
  environmentNames: z.array(z.string()),
  /** The sandboxes that it tried when it started; `cause`: why one cannot be enforced. 0.1.0 wrote `refusal`, or nothing. */
  sandboxes: z
    .array(z.object({ level: SandboxLevel, network: z.boolean(), cause: z.string().nullable() }))
    .default([])
    .catch([]),
  /** Its PATH. */
  searchPath: z.string().default(''),
  /** The Temporal that it serves. */
  temporal: z.object({ source: z.enum(['embedded', 'external']), address: z.string(), namespace: z.string() }),
  readyAt: z.iso.datetime(),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;

/** What the holder's fields say of a worker in somebody's terminal: it has the keys of that shell, and ends with it. */
export const IN_FOREGROUND = { started: 'in the foreground' } as const;

export async function isInForeground(ralphHome: string): Promise<boolean> {
  const holder = await liveHolder(homePaths(ralphHome).worker);
  return z.object({ started: z.literal(IN_FOREGROUND.started) }).safeParse(holder?.fields).success;
}

/** Throws RalphError where this process was not started as the one worker of its RALPH_HOME. */
export async function assertIsWorker(ralphHome: string): Promise<void> {
  const holder = await liveHolder(homePaths(ralphHome).worker);
  if (holder === null || !isSame(holder, ownIdentity())) throw ralphError('worker-without-lock', {});
}

/** Say that this process, the worker, is ready. */
export async function announceWorker(
  record: Pick<WorkerRecord, 'hostId' | 'version' | 'environmentNames' | 'sandboxes' | 'searchPath' | 'temporal'> & {
    ralphHome: string;
  },
): Promise<void> {
  const { ralphHome, ...stated } = record;
  const ready: WorkerRecord = { ...ownIdentity(), ...stated, readyAt: new Date().toISOString() };
  await writeTextAtomically(homePaths(ralphHome).worker.ready, `${JSON.stringify(ready)}\n`);
}

/** Say that this worker takes no more work, as it is about to end: whoever needs one waits for the next. */
export async function retractWorker(ralphHome: string): Promise<void> {
  await rm(homePaths(ralphHome).worker.ready, { force: true });
}

export const readWorkerRecord = (ralphHome: string): Promise<WorkerRecord | null> =>
  readIfValid(homePaths(ralphHome).worker.ready, WorkerRecord);
