import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { durationText } from '../../../schemas/text/duration.ts';
import { bubblewrapFlags } from './bubblewrap-flags.ts';
import { thisSandboxHost } from './sandbox-host.ts';
import type { Contained, ContainedCommand, Containment } from '../containment.ts';
import { behindBarrier, startHeld, type HeldCommand } from '../start/start-barrier.ts';
import { withPrivateTemp } from './private-temp.ts';
import { askToStop, bringUp, openContainer, type Ending } from '../start/open-container.ts';
import { describeSome } from '../dispose/describe-process.ts';
import { hasEnded } from '../../../system/processes/process-entry.ts';
import type { ProcessEntry, ProcessIdentity } from '../../../system/processes/process-entry.ts';
import { identityOf, isAlive, killProcess } from '../../../system/processes/process-identity.ts';
import type { KillResult } from '../../../system/processes/process-identity.ts';
import { processTable } from '../../../system/processes/process-table.ts';
import { programOrFail } from '../choose/container-errors.ts';
import { waitUntil } from '../dispose/wait-until.ts';

/**
 * A pid namespace made by bubblewrap. It is empty when its init is gone: the kernel kills and reaps everything in a
 * namespace before its init's end is seen. The end of bwrap itself proves nothing; it comes before that.
 *
 * Start from the main thread only: `--die-with-parent` follows the thread that spawned it.
 */
export const bubblewrap: Containment = withPrivateTemp({ mechanism: 'bubblewrap', start });

/** Where bwrap says who the namespace's init is. */
const STATUS = ['--json-status-fd', '3'];

async function start(command: ContainedCommand): Promise<Contained> {
  const bwrap = programOrFail('bwrap', 'bubblewrap');
  const flags = [...bubblewrapFlags(command.sandbox, command.mounts, thisSandboxHost()), ...STATUS, '--'];
  const held = await startHeld({
    argv: [bwrap, ...flags, ...behindBarrier(command.argv)],
    env: command.env,
    cwd: '/',
    stdinFile: command.stdinFile,
    fenceFile: command.fenceFile,
    mechanism: 'bubblewrap',
  });
  const { init, barrier, bwrapItself } = await bringUp(held, 'bubblewrap', () => partsOf(held));
  const end = async (patience: { graceMs: number; proveMs: number }): Promise<Ending> => {
    const signals = await askToStop(held, barrier, patience.graceMs);
    const ending = await endNamespace([init, barrier, bwrapItself], patience.proveMs).catch((error: unknown) => {
      // Nothing can be seen, so nothing can be proved; but bwrap is a child of ours, and takes its namespace along.
      held.kill();
      throw error;
    });
    return { ...ending, signals: [...signals, ...ending.signals] };
  };
  return openContainer(
    { mechanism: 'bubblewrap', held, container: [init, barrier, bwrapItself], marker: null, endFile: null, end },
    command,
  );
}

/** The processes that make up the container. */
async function partsOf(held: HeldCommand) {
  // bwrap names its init before the barrier can say that it is ready.
  const init = await Promise.race([initOf(held), delay(STATUS_MS, null, { ref: false })]);
  const [barrier] = init === null ? [] : processTable.below(init.pid);
  const bwrapItself = held.pid === null ? null : identityOf(held.pid);
  return init === null || barrier === undefined || bwrapItself === null ? null : { init, barrier, bwrapItself };
}

const STATUS_MS = 5_000;

const Status = z.object({ 'child-pid': z.int().positive() });

/** The namespace's init, as bwrap names it before anything runs in there. Null: bwrap ended first. */
async function initOf({ status }: HeldCommand): Promise<ProcessIdentity | null> {
  for await (const line of createInterface({ input: status })) {
    const said = Status.safeParse(parsed(line));
    if (said.success) return identityOf(said.data['child-pid']);
  }
  return null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Not bwrap's word: somebody else is called bwrap.
    return null;
  }
}

/**
 * SIGKILL to a pid namespace's init, which takes everything in it along, and the proof.
 * @param container the init, and what else of ours is around the command: not worth a mention, but gone as well
 */
export async function endNamespace(
  [init, ...ours]: readonly [ProcessIdentity, ...ProcessIdentity[]],
  proveMs: number,
): Promise<Ending> {
  const ourPids = ours.map(({ pid }) => pid);
  const killed = describeSome(inNamespace(init).filter((entry) => !ourPids.includes(entry.pid)));
  let result: KillResult | null = null;
  // Once the init is gone, bwrap itself has nothing left to do but to end.
  const isGone = (): boolean => {
    result ??= killProcess(init, 'SIGKILL');
    return !isAlive(init) && !ours.some(isAlive);
  };
  const gone = await waitUntil(isGone, proveMs);
  const signals = result === 'sent' ? [{ signal: 'SIGKILL', pid: init.pid, command: null }] : [];
  if (gone) return { proof: 'namespace-gone', signals, ...killed, left: [] };
  const why =
    result === 'not-permitted'
      ? 'not permitted to end the namespace: it belongs to another user'
      : `did not end within ${durationText(proveMs)} of SIGKILL to the namespace's init`;
  const left = [init, ...ours].filter(isAlive).map(({ pid }) => ({ pid, command: 'bwrap', why }));
  return { proof: 'unproved', signals, ...killed, left };
}

/** What there is to be killed, for the record; nothing where it cannot be seen. */
function inNamespace(init: ProcessIdentity): ProcessEntry[] {
  try {
    return isAlive(init) ? processTable.below(init.pid).filter((entry) => !hasEnded(entry)) : [];
  } catch {
    // /proc cannot be read now (EMFILE); whether the namespace is gone is another question.
    return [];
  }
}
