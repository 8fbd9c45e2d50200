import { randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseRecord } from '../../../schemas/text/parse-record.ts';
import { Mechanism } from '../../../schemas/round/receipt.ts';
import { errorCode } from '../../../system/error-code.ts';
import { bootId } from '../../../system/processes/boot-id.ts';
import type { ProcessIdentity } from '../../../system/processes/process-entry.ts';
import { identityOf } from '../../../system/processes/process-identity.ts';

const Identity = z.strictObject({ pid: z.int().positive(), startTime: z.string() });

/** The machine as it runs now. `boot` and `pidNamespace` are null where the system does not say. */
const Host = z.strictObject({
  name: z.string(),
  /** /etc/machine-id. */
  machine: z.string().nullable(),
  boot: z.string().nullable(),
  pidNamespace: z.string().nullable(),
});
type Host = z.infer<typeof Host>;

/**
 * Who holds an attempt's processes. On disk before its command starts; written once, exclusively, so that it is also
 * the lock that says whether the attempt may start at all. `closed`: a later attempt came first, it may not.
 */
export const Fence = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('started'),
    mechanism: Mechanism,
    host: Host,
    worker: Identity,
    /** The container's own processes: once they are gone, so is everything in it, if the mechanism proves that. */
    container: z.array(Identity),
    marker: z.number().nullable(),
    /** Where the container itself leaves what it proved, should no worker be there to hear it. */
    endFile: z.string().nullable(),
    /** A folder outside of the run's that is the attempt's alone, and goes with it. */
    tempFolder: z.string().nullable(),
    at: z.iso.datetime(),
  }),
  z.strictObject({ kind: z.literal('closed'), host: Host, at: z.iso.datetime() }),
]);
export type Fence = z.infer<typeof Fence>;
export type StartedFence = Extract<Fence, { kind: 'started' }>;

/** @returns false where the file is there already: a later attempt closed the fence, and nothing may start. */
export async function writeFence(
  file: string,
  about: {
    mechanism: Mechanism;
    container: readonly ProcessIdentity[];
    marker: number | null;
    endFile: string | null;
    tempFolder: string | null;
  },
): Promise<boolean> {
  const worker = identityOf(process.pid) ?? { pid: process.pid, startTime: '' };
  const fence: Fence = {
    kind: 'started',
    ...about,
    container: about.container.map(({ pid, startTime }) => ({ pid, startTime })),
    host: thisHost(),
    worker,
    at: new Date().toISOString(),
  };
  return await createExclusively(file, fence);
}

/** Close an attempt to which nobody wrote a fence yet. @returns false where the attempt's own fence came first. */
export async function closeFence(file: string): Promise<boolean> {
  return await createExclusively(file, { kind: 'closed', host: thisHost(), at: new Date().toISOString() });
}

/**
 * Null: it is there and empty, as only a power cut leaves it: it is not flushed, since it guards against processes, and
 * none outlives one. @throws if the file is missing or holds no fence: then nothing is known about the attempt.
 */
export async function readFence(file: string): Promise<Fence | null> {
  const text = await readFile(file, 'utf8');
  return /^\0*$/.test(text) ? null : parseRecord(Fence, JSON.parse(text));
}

export function thisHost(): Host {
  return {
    name: hostname(),
    machine: read('/etc/machine-id'),
    boot: bootId(),
    pidNamespace: pidNamespace(),
  };
}

/** Whole or not at all, and only where nothing stands: written beside, then linked into place. */
async function createExclusively(file: string, fence: Fence): Promise<boolean> {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(fence)}\n`);
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await handle.close();
    await unlink(draft);
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    // Not every system has the file; null says so.
    return null;
  }
}

function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // No /proc: not Linux.
    return null;
  }
}
