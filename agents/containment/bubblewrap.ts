import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { bubblewrapFlags, thisSandboxHost } from './bubblewrap-flags.ts';
import type { Contained, ContainedCommand, Containment, ProcessIdentity } from './containment.ts';
import { describeProcess } from './describe-process.ts';
import { startGated, whyNotUp } from './gate.ts';
import type { Gated } from './gate.ts';
import { withPrivateTemp } from './private-temp.ts';
import { askToStop, openContainer } from './gated-container.ts';
import type { Ending } from './gated-container.ts';
import { hasEnded, identityOf, isAlive, killProcess } from './process-identity.ts';
import { childrenOf, liveDescendants } from './process-table.ts';
import { programOrFail } from './find-on-path.ts';
import { behindShellGate } from './shell-gate.ts';
import { waitUntil } from './wait-until.ts';

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
  const gated = await startGated({
    argv: [bwrap, ...flags, ...behindShellGate(command.argv)],
    env: command.env,
    cwd: '/',
    stdinFile: command.stdinFile,
    fenceFile: command.fenceFile,
    mechanism: 'bubblewrap',
  });
  // bwrap names its init before the gate can say that it is ready.
  const init = (await gated.ready) ? await initOf(gated) : null;
  const [gate] = init === null ? [] : childrenOf(init.pid);
  const bwrapItself = gated.pid === null ? null : identityOf(gated.pid);
  if (init === null || gate === undefined || bwrapItself === null) {
    throw ralphError('container-failed', { mechanism: 'bubblewrap', cause: await whyNotUp(gated) });
  }
  const end = async (patience: { graceMs: number; proveMs: number }): Promise<Ending> => {
    const signals = await askToStop(gated, gate, patience.graceMs);
    const ending = await endNamespace([init, gate, bwrapItself], patience.proveMs);
    return { ...ending, signals: [...signals, ...ending.signals] };
  };
  return openContainer(
    { mechanism: 'bubblewrap', gated, container: [init, gate, bwrapItself], marker: null, endFile: null, end },
    command,
  );
}

const Status = z.object({ 'child-pid': z.int().positive() });

/** The namespace's init, as bwrap names it before anything runs in there. Null: bwrap ended first. */
async function initOf({ status }: Gated): Promise<ProcessIdentity | null> {
  for await (const line of createInterface({ input: status })) {
    const said = Status.safeParse(JSON.parse(line));
    if (said.success) return identityOf(said.data['child-pid']);
  }
  return null;
}

/**
 * SIGKILL to a pid namespace's init, which takes everything in it along, and the proof.
 * @param container the init, and what else of ours is around the command: not worth a mention, but gone as well
 */
export async function endNamespace(
  [init, ...ours]: readonly [ProcessIdentity, ...ProcessIdentity[]],
  proveMs: number,
): Promise<Ending> {
  const found = isAlive(init) ? liveDescendants(init.pid) : [];
  const ourPids = ours.map(({ pid }) => pid);
  const killed = found.filter((entry) => !ourPids.includes(entry.pid) && !hasEnded(entry)).map(describeProcess);
  const result = killProcess(init, 'SIGKILL');
  const signals = result === 'sent' ? [{ signal: 'SIGKILL', pid: init.pid }] : [];
  // Once the init is gone, bwrap itself has nothing left to do but to end.
  const gone = await waitUntil(() => !isAlive(init) && !ours.some(isAlive), proveMs);
  if (gone) return { proof: 'namespace-gone', signals, killed, left: [] };
  const why =
    result === 'not-permitted'
      ? 'not permitted to end the namespace: it belongs to another user'
      : `did not end within ${proveMs} ms of SIGKILL to the namespace's init`;
  const left = [init, ...ours].filter(isAlive).map(({ pid }) => ({ pid, command: 'bwrap', why }));
  return { proof: 'unproved', signals, killed, left };
}
