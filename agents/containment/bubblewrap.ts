import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { bubblewrapFlags, thisSandboxHost } from './bubblewrap-flags.ts';
import type { Contained, ContainedCommand, Containment, ProcessIdentity } from './containment.ts';
import { describeProcess } from './describe-process.ts';
import { findProgram } from './find-program.ts';
import { startGated, whyNotUp } from './gate.ts';
import type { Gated } from './gate.ts';
import { openContainer } from './gated-container.ts';
import type { Ending } from './gated-container.ts';
import { markedBy, newMarker } from './marker.ts';
import { hasEnded, identityOf, isAlive, killProcess } from './process-identity.ts';
import { descendantsOf, readProcesses } from './process-table.ts';
import { waitUntil } from './wait-until.ts';

/**
 * A pid namespace made by bubblewrap. It is empty when its init is gone: the kernel kills and reaps everything in a
 * namespace before its init's end is seen. The end of bwrap itself proves nothing; it comes before that.
 *
 * Start from the main thread only: `--die-with-parent` follows the thread that spawned it.
 */
export const bubblewrap: Containment = { mechanism: 'bubblewrap', start };

async function start(command: ContainedCommand): Promise<Contained> {
  const { argv, env, stdinFile, sandbox, mounts } = command;
  const bwrap = findProgram('bwrap', process.env.PATH);
  if (bwrap === null)
    throw ralphError('container-failed', { mechanism: 'bubblewrap', cause: 'there is no bwrap on PATH' });
  const marker = newMarker();
  const gated = await startGated({
    wrap: [...markedBy(marker), bwrap, ...bubblewrapFlags(sandbox, mounts, thisSandboxHost()), '--'],
    argv,
    env,
    cwd: '/',
    stdinFile,
  });
  // bwrap names its init before the gate can say that it is ready.
  const init = (await gated.ready) ? await initOf(gated) : null;
  const gate = init === null ? undefined : readProcesses().find((entry) => entry.parent === init.pid);
  if (init === null || gate === undefined) {
    throw ralphError('container-failed', { mechanism: 'bubblewrap', cause: await whyNotUp(gated) });
  }
  return openContainer(
    { mechanism: 'bubblewrap', gated, root: init, gate, marker, end: (proveMs) => end(init, gate, proveMs) },
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

async function end(init: ProcessIdentity, gate: ProcessIdentity, proveMs: number): Promise<Ending> {
  const found = descendantsOf(init.pid, isAlive(init) ? readProcesses() : []).filter(
    (entry) => entry.pid !== gate.pid && !hasEnded(entry),
  );
  const killed = found.map(describeProcess);
  const signals = killProcess(init, 'SIGKILL') === 'sent' ? [{ signal: 'SIGKILL', pid: init.pid }] : [];
  if (await waitUntil(() => !isAlive(init), proveMs)) return { proof: 'namespace-gone', signals, killed, left: [] };
  const why = `the namespace's init did not end within ${proveMs} ms of SIGKILL`;
  return { proof: 'unproved', signals, killed, left: [{ pid: init.pid, command: 'bwrap', why }] };
}
