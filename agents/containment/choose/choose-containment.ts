import { readFileSync } from 'node:fs';
import { ralphError } from '../../../schemas/errors/index.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { SandboxLevel } from '../../../schemas/run/sandbox.ts';
import type { Sandbox } from '../../../schemas/run/sandbox.ts';
import { bubblewrap } from '../bubblewrap/bubblewrap.ts';
import type { Containment } from '../containment.ts';
import { hasCode, messageOf } from '../../../system/error-code.ts';
import { subreaper } from '../subreaper/subreaper.ts';
import { probe } from './probe.ts';
import type { ProbeResult } from './probe.ts';
import { processGroup } from '../subreaper/process-group.ts';
import { namedIfShort, saysShortage, whileShort } from './container-errors.ts';
import { findOnPath } from '../../../system/processes/on-path.ts';

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
  const held = await probeOnce(bubblewrap, sandbox);
  if (held.works) return patient(bubblewrap);
  if (held.passing) throw noRoom(held);
  const cause = { cause: held.cause, wayOut: sandboxWayOut(sandbox) };
  if (sandbox.level !== 'full-access') throw ralphError('sandbox-unavailable', { level: sandbox.level, ...cause });
  if (!sandbox.network) throw ralphError('network-switch-unavailable', cause);
  const kept = await probeOnce(subreaper, sandbox);
  if (kept.works) return patient(subreaper);
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
  const held = await probeOnce(bubblewrap, readOnly);
  return held.works || held.passing ? readOnly : sandbox;
}

/** The error's cause tells a full disk, for which the caller waits, from other shortages. */
function noRoom({ cause, error }: Extract<ProbeResult, { works: false }>): Error {
  return ralphError('machine-short', { cause }, { cause: error });
}

/** Of any mechanism. */
const NEEDS = 'Every round needs mkfifo and, where the system is not Linux, perl and ps on the PATH of the worker.';

interface ContainmentOffer {
  readonly sandbox: Sandbox;
  /** Null: refused, for the reason in `cause`. */
  readonly mechanism: Mechanism | null;
  readonly cause: string | null;
}

/** What this machine offers at every level, for the demo and whoever asks before a run. */
export async function describeContainment(): Promise<ContainmentOffer[]> {
  const sandboxes = SandboxLevel.options.flatMap((level) =>
    [true, false].map((network) => ({ level, network, readable: [] })),
  );
  return await Promise.all(
    sandboxes.map(async (sandbox) => {
      try {
        return { sandbox, mechanism: (await chooseContainment({ sandbox })).mechanism, cause: null };
      } catch (error) {
        return { sandbox, mechanism: null, cause: messageOf(error) };
      }
    }),
  );
}

/** What a user can do about a sandbox that cannot be had here. */
function sandboxWayOut(sandbox: Sandbox): string {
  const less = lessThan(sandbox);
  if (process.platform !== 'linux') return `Sandboxes need Linux with bubblewrap. ${less}`;
  if (findOnPath('bwrap', process.env.PATH) === null) {
    return `Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap). ${less}`;
  }
  const forbidden = SWITCHES.filter(({ file, forbids }) => setting(file) === forbids);
  if (forbidden.length > 0) return `Allow user namespaces: ${forbidden.map(({ fix }) => fix).join(' and ')}. ${less}`;
  return `Inside a container, start it so that user namespaces are allowed (Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined). ${less}`;
}

function lessThan({ level, network }: Sandbox): string {
  const switched = network ? '' : ' --network';
  if (level === 'full-access') return 'Or let the agent have the network: --network.';
  return `Or ask for less, with --sandbox full-access${switched}: the agent may then write wherever you may, and only its processes are held.`;
}

/** Kernel settings that keep ordinary users from namespaces. */
const SWITCHES = [
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    forbids: '0',
    fix: 'sysctl -w kernel.unprivileged_userns_clone=1',
  },
  { file: '/proc/sys/user/max_user_namespaces', forbids: '0', fix: 'sysctl -w user.max_user_namespaces=15000' },
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    forbids: '1',
    fix: 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (or an AppArmor profile for bwrap)',
  },
];

function setting(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // This kernel does not have the setting.
    return null;
  }
}
