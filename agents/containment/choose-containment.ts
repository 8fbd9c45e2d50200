import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Mechanism } from '../../schemas/receipt.ts';
import { SandboxLevel } from '../../schemas/sandbox.ts';
import type { Sandbox } from '../../schemas/sandbox.ts';
import { bubblewrap } from './bubblewrap.ts';
import type { Containment } from './containment.ts';
import { errorMessage } from './error-code.ts';
import { keeper, keeperBubblewrap } from './keeper.ts';
import { probe } from './probe.ts';
import type { ProbeResult } from './probe.ts';
import { processGroup } from './process-group.ts';
import { sandboxWayOut } from './sandbox-way-out.ts';

const probed = new Map<string, Promise<ProbeResult>>();

/**
 * What was found to work is not tried again in the life of a process, as it costs a start each; what was not is, as
 * one bad moment says nothing about the next.
 */
async function probeOnce(containment: Containment, sandbox: Sandbox): Promise<ProbeResult> {
  const key = `${containment.mechanism} ${sandbox.level} ${sandbox.network}`;
  const earlier = probed.get(key);
  if (earlier !== undefined) return await earlier;
  const attempt = probePatiently(containment, { ...sandbox, readable: [] });
  probed.set(key, attempt);
  try {
    const result = await attempt;
    if (!result.works) probed.delete(key);
    return result;
  } catch (error) {
    probed.delete(key);
    throw error;
  }
}

const PAUSES_MS = [200, 1_000, 3_000];

async function probePatiently(containment: Containment, sandbox: Sandbox): Promise<ProbeResult> {
  let result = await probe(containment, sandbox);
  for (const pause of PAUSES_MS) {
    if (result.works || !result.passing) break;
    await delay(pause);
    result = await probe(containment, sandbox);
  }
  return result;
}

/**
 * The containment that enforces a sandbox on this machine, found by trying it with the flags it will be used with.
 * @throws RalphError `sandbox-unavailable` or `network-switch-unavailable`, with the cause and the way out; never a
 * quieter level, also not because the machine has no room at the moment
 */
export async function chooseContainment({ sandbox }: { sandbox: Sandbox }): Promise<Containment> {
  // bwrap dies with the thread that started it, which only the main thread's life makes that of the worker.
  const sandboxed = isMainThread ? bubblewrap : keeperBubblewrap;
  const held = await probeOnce(sandboxed, sandbox);
  if (held.works) return sandboxed;
  const refusal = { cause: held.cause, wayOut: held.passing ? MAKE_ROOM : sandboxWayOut(sandbox) };
  if (sandbox.level !== 'full-access' || held.passing)
    throw ralphError('sandbox-unavailable', { level: sandbox.level, ...refusal });
  if (!sandbox.network) throw ralphError('network-switch-unavailable', refusal);
  const kept = await probeOnce(keeper, sandbox);
  if (kept.works) return keeper;
  if (!kept.passing) return processGroup;
  throw ralphError('sandbox-unavailable', { level: sandbox.level, cause: kept.cause, wayOut: MAKE_ROOM });
}

const MAKE_ROOM =
  'It is the machine that had no room (processes, memory, open files, disk): make some and start the run again.';

interface ContainmentOffer {
  readonly sandbox: Sandbox;
  /** Null: refused, for the reason in `refusal`. */
  readonly mechanism: Mechanism | null;
  readonly refusal: string | null;
}

/** What this machine offers at every level, for the demo and whoever asks before a run. */
export async function describeContainment(): Promise<ContainmentOffer[]> {
  const sandboxes = SandboxLevel.options.flatMap((level) =>
    [true, false].map((network) => ({ level, network, readable: [] })),
  );
  return await Promise.all(
    sandboxes.map(async (sandbox) => {
      try {
        return { sandbox, mechanism: (await chooseContainment({ sandbox })).mechanism, refusal: null };
      } catch (error) {
        return { sandbox, mechanism: null, refusal: errorMessage(error) };
      }
    }),
  );
}
