import { isMainThread } from 'node:worker_threads';
import { ralphError } from '../../../schemas/errors/index.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { SandboxLevel } from '../../../schemas/run/sandbox.ts';
import type { Sandbox } from '../../../schemas/run/sandbox.ts';
import { bubblewrap } from '../bubblewrap/bubblewrap.ts';
import type { Containment } from '../containment.ts';
import { hasCode } from '../../../system/error-code.ts';
import { messageOf } from '../../../system/message-of.ts';
import { keeper, keeperBubblewrap } from '../subreaper/keeper.ts';
import { probe } from './probe.ts';
import type { ProbeResult } from './probe.ts';
import { processGroup } from '../subreaper/process-group.ts';
import { sandboxWayOut } from './sandbox-way-out.ts';
import { namedIfShort, saysShortage, whileShort } from './shortage.ts';

const probed = new Map<string, Promise<ProbeResult>>();

/**
 * What was found to work is not tried again in the life of a process, as it costs a start each; what was not is, as
 * one bad moment says nothing about the next.
 */
async function probeOnce(containment: Containment, sandbox: Sandbox): Promise<ProbeResult> {
  const key = `${containment.mechanism} ${sandbox.level} ${sandbox.network}`;
  const earlier = probed.get(key);
  if (earlier !== undefined) return await earlier;
  const attempt = whileShort(
    () => probe(containment, { ...sandbox, readable: [] }),
    (settled) => settled.status === 'fulfilled' && !settled.value.works && settled.value.passing,
  );
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

/** A container that did not come up was not started: it may be tried again. One that lacked its command was. */
function patient(containment: Containment): Containment {
  return {
    ...containment,
    start: async (command) => {
      try {
        return await whileShort(() => containment.start(command), failedForRoom);
      } catch (error) {
        throw namedIfShort(error);
      }
    },
  };
}

const failedForRoom = (settled: PromiseSettledResult<unknown>): boolean =>
  settled.status === 'rejected' && saysShortage(settled.reason) && !hasCode(settled.reason, 'machine-short');

/**
 * The containment that enforces a sandbox on this machine, found by trying it with the flags it will be used with.
 * @throws RalphError `sandbox-unavailable` or `network-switch-unavailable`, with the cause and the way out, or
 * `machine-short`; never a quieter level, also not because the machine has no room at the moment
 */
export async function chooseContainment({ sandbox }: { sandbox: Sandbox }): Promise<Containment> {
  const sandboxed = sandboxedHere();
  const held = await probeOnce(sandboxed, sandbox);
  if (held.works) return patient(sandboxed);
  if (held.passing) throw noRoom(held);
  const refusal = { cause: held.cause, wayOut: sandboxWayOut(sandbox) };
  if (sandbox.level !== 'full-access') throw ralphError('sandbox-unavailable', { level: sandbox.level, ...refusal });
  if (!sandbox.network) throw ralphError('network-switch-unavailable', refusal);
  const kept = await probeOnce(keeper, sandbox);
  if (kept.works) return patient(keeper);
  if (kept.passing) throw noRoom(kept);
  const grouped = await probeOnce(processGroup, sandbox);
  if (grouped.works) return patient(processGroup);
  if (grouped.passing) throw noRoom(grouped);
  throw ralphError('sandbox-unavailable', { level: sandbox.level, cause: grouped.cause, wayOut: NEEDS });
}

/**
 * The sandbox of a run's reviewer: the run's own, but read-only. Where the run has full access and this machine can make
 * no sandbox, it is full access too, and the record says so.
 */
export async function reviewerSandbox(sandbox: Sandbox): Promise<Sandbox> {
  const readOnly: Sandbox = { ...sandbox, level: 'read-only' };
  if (sandbox.level !== 'full-access') return readOnly;
  const held = await probeOnce(sandboxedHere(), readOnly);
  return held.works || held.passing ? readOnly : sandbox;
}

/** bwrap dies with the thread that started it, which only the main thread's life makes that of the worker. */
const sandboxedHere = (): Containment => (isMainThread ? bubblewrap : keeperBubblewrap);

/** What it was caused by says whether it was the disk, which is waited out. */
function noRoom({ cause, error }: Extract<ProbeResult, { works: false }>): Error {
  return ralphError('machine-short', { cause }, { cause: error });
}

/** Of any mechanism: perl closes what the worker inherited. */
const NEEDS = 'Every round needs perl, mkfifo and, where the system is not Linux, ps on the PATH of the worker.';

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
        return { sandbox, mechanism: null, refusal: messageOf(error) };
      }
    }),
  );
}
