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

/** Probing once is enough for the life of a process, and costs a start each. */
function probeOnce(containment: Containment, sandbox: Sandbox): Promise<ProbeResult> {
  const key = `${containment.mechanism} ${sandbox.level} ${sandbox.network}`;
  const earlier = probed.get(key);
  if (earlier !== undefined) return earlier;
  const result = probe(containment, { ...sandbox, readable: [] });
  probed.set(key, result);
  return result;
}

/**
 * The containment that enforces a sandbox on this machine, found by trying it with the flags it will be used with.
 * @throws RalphError `sandbox-unavailable` or `network-switch-unavailable`, with the cause and the way out; never a
 * quieter level
 */
export async function chooseContainment({ sandbox }: { sandbox: Sandbox }): Promise<Containment> {
  // bwrap dies with the thread that started it, which only the main thread's life makes that of the worker.
  const sandboxed = isMainThread ? bubblewrap : keeperBubblewrap;
  const held = await probeOnce(sandboxed, sandbox);
  if (held.works) return sandboxed;
  const refusal = { cause: held.cause, wayOut: sandboxWayOut() };
  if (sandbox.level !== 'full-access') throw ralphError('sandbox-unavailable', { level: sandbox.level, ...refusal });
  if (!sandbox.network) throw ralphError('network-switch-unavailable', refusal);
  return (await probeOnce(keeper, sandbox)).works ? keeper : processGroup;
}

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
