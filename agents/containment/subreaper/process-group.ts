import type { Contained, ContainedCommand, Containment } from '../containment.ts';
import { endByLooking } from '../dispose/end-by-looking.ts';
import { behindBarrier, startHeld } from '../start/start-barrier.ts';
import { withPrivateTemp } from '../bubblewrap/private-temp.ts';
import { askToStop, bringUp, openContainer, type Ending } from '../start/open-container.ts';
import {
  descendantsOf,
  hasEnded,
  type ProcessEntry,
  type ProcessIdentity,
} from '../../../system/processes/process-entry.ts';
import { MARKER_VARIABLE, newMarker } from '../../../system/processes/marker.ts';
import type { Marker } from '../../../system/processes/marker.ts';
import { findOnPath } from '../../../system/processes/on-path.ts';
import { identityOf } from '../../../system/processes/process-identity.ts';
import { processTable } from '../../../system/processes/process-table.ts';

/**
 * A session of its own and a marker, for systems that offer nothing that proves. What it finds it kills; that it finds
 * nothing more is an observation. It holds neither files nor the network: its level is `full-access`.
 */
export const processGroup: Containment = withPrivateTemp({ mechanism: 'process-group', start });

async function start(command: ContainedCommand): Promise<Contained> {
  const marker = newMarker();
  const held = await startHeld({
    argv: marked(behindBarrier(command.argv), marker),
    env: { ...command.env, [MARKER_VARIABLE]: String(marker) },
    cwd: command.mounts.tree,
    stdinFile: command.stdinFile,
    fenceFile: command.fenceFile,
    mechanism: 'process-group',
  });
  const barrier = await bringUp(held, 'process-group', async () => (held.pid === null ? null : identityOf(held.pid)));
  const end = async (patience: { graceMs: number; proveMs: number }): Promise<Ending> => {
    const signals = await askToStop(held, barrier, patience.graceMs);
    const ending = await endByLooking(() => membersOf(barrier, marker), patience.proveMs);
    return {
      ...ending,
      signals: [...signals, ...ending.signals],
      killed: ending.killed.filter((seen) => seen.pid !== barrier.pid),
    };
  };
  return openContainer({ mechanism: 'process-group', held, container: [barrier], marker, endFile: null, end }, command);
}

/** What shows that it belongs to the command: its session and group, its parents, or the marker. */
export function membersOf(barrier: ProcessIdentity, marker: Marker): ProcessEntry[] {
  const table = processTable.readAll();
  const leader = table.find(({ pid }) => pid === barrier.pid);
  // A pid is given anew only when no group or session bears its number any more: these are somebody else's.
  const isTaken = leader !== undefined && leader.startTime !== barrier.startTime;
  const related = isTaken
    ? []
    : [
        ...table.filter((entry) => entry.group === barrier.pid || entry.session === barrier.pid),
        ...descendantsOf(barrier.pid, table),
      ];
  const members = [...related, ...processTable.marked(marker)];
  return [...new Map(members.map((entry) => [entry.pid, entry])).values()].filter((entry) => !hasEnded(entry));
}

/** A command with the marker put on it as a limit too; as it is where the system has no prlimit. */
function marked(argv: readonly [string, ...string[]], marker: Marker): [string, ...string[]] {
  const prlimit = findOnPath('prlimit', process.env.PATH);
  return prlimit === null ? [...argv] : [prlimit, `--rttime=${marker}:${marker}`, ...argv];
}
