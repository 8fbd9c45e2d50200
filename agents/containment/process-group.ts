import { ralphError } from '../../schemas/errors/index.ts';
import type { Contained, ContainedCommand, Containment, ProcessIdentity } from './containment.ts';
import { describeProcess } from './describe-process.ts';
import { openContainer } from './gated-container.ts';
import type { Ending } from './gated-container.ts';
import { startGated, whyNotUp } from './gate.ts';
import { markedBy, markedProcesses, newMarker } from './marker.ts';
import type { Marker } from './marker.ts';
import { hasEnded, identityOf, killProcess } from './process-identity.ts';
import { descendantsOf, readProcesses } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';
import { waitUntil } from './wait-until.ts';

/**
 * A session of its own and a marker, for systems that offer nothing that proves. What it finds it kills; that it finds
 * nothing more is an observation. It cannot hold files or the network to any level but `full-access`.
 */
export const processGroup: Containment = { mechanism: 'process-group', start };

async function start(command: ContainedCommand): Promise<Contained> {
  const { argv, env, stdinFile, mounts } = command;
  const marker = newMarker();
  const gated = await startGated({ wrap: markedBy(marker), argv, env, cwd: mounts.tree, stdinFile });
  const gate = (await gated.ready) && gated.child.pid !== undefined ? identityOf(gated.child.pid) : null;
  if (gate === null) {
    throw ralphError('container-failed', { mechanism: 'process-group', cause: await whyNotUp(gated) });
  }
  return openContainer(
    { mechanism: 'process-group', gated, root: gate, gate, marker, end: (proveMs) => end(gate, marker, proveMs) },
    command,
  );
}

/** Looks in a row that must find nothing: between two, a process may fork and end. */
const CALM_LOOKS = 3;

async function end(gate: ProcessIdentity, marker: Marker, proveMs: number): Promise<Ending> {
  const killed = new Map<number, ReturnType<typeof describeProcess>>();
  const signals: Ending['signals'] = [];
  let found: ProcessEntry[] = [];
  let calm = 0;
  const isCalm = (): boolean => {
    found = membersOf(gate, marker);
    for (const entry of found) {
      const seen = describeProcess(entry);
      if (killProcess(entry, 'SIGKILL') !== 'sent') continue;
      if (entry.pid !== gate.pid) killed.set(entry.pid, seen);
      signals.push({ signal: 'SIGKILL', pid: entry.pid });
    }
    calm = found.length === 0 ? calm + 1 : 0;
    return calm >= CALM_LOOKS;
  };
  if (await waitUntil(isCalm, proveMs)) return { proof: 'observed', signals, killed: [...killed.values()], left: [] };
  const left = found.map((entry) => ({ ...describeProcess(entry), why: `still there ${proveMs} ms after SIGKILL` }));
  return { proof: 'unproved', signals, killed: [...killed.values()], left };
}

function membersOf(gate: ProcessIdentity, marker: Marker): ProcessEntry[] {
  const table = readProcesses();
  const members = [
    ...table.filter((entry) => entry.group === gate.pid || entry.session === gate.pid),
    ...descendantsOf(gate.pid, table),
    ...markedProcesses(marker),
  ];
  return [...new Map(members.map((entry) => [entry.pid, entry])).values()].filter((entry) => !hasEnded(entry));
}
