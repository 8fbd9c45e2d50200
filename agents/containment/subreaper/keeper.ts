import { machine } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { bubblewrapFlags } from '../bubblewrap/bubblewrap-flags.ts';
import { thisSandboxHost } from '../bubblewrap/sandbox-host.ts';
import type { Contained, ContainedCommand, Containment } from '../containment.ts';
import { endByLooking } from '../dispose/end-by-looking.ts';
import { programOrFail } from '../choose/program-or-fail.ts';
import { bringUp } from '../start/bring-up.ts';
import { startLatched } from '../start/latch.ts';
import type { Latched } from '../start/latch.ts';
import { withPrivateTemp } from '../bubblewrap/private-temp.ts';
import { openContainer } from '../start/latched-container.ts';
import type { Ending } from '../start/latched-container.ts';
import { keeperEnding } from './keeper-ending.ts';
import { newMarker } from '../../../system/processes/marker.ts';
import type { Marker } from '../../../system/processes/marker.ts';
import type { ProcessIdentity } from '../../../system/processes/process-entry.ts';
import { identityOf, isAlive, killProcess } from '../../../system/processes/process-identity.ts';
import { processTable } from '../../../system/processes/process-table.ts';
import { containerFailed } from '../choose/container-failed.ts';
import { waitUntil } from '../dispose/wait-until.ts';

/**
 * A subreaper of its own for the command (`keeper.pl`): everything that the command starts becomes its child in the
 * end, and when waitpid says ECHILD nothing is left. Lives and dies with the worker by a lifeline. It holds neither
 * files nor the network: its level is `full-access`. A command that kills its keeper is found by its marker only, and
 * its receipt reads `observed`.
 */
export const keeper: Containment = withPrivateTemp({
  mechanism: 'keeper',
  start: (command) => start(command, { mechanism: 'keeper', argv: command.argv, depth: 0, cwd: command.mounts.tree }),
});

/**
 * The keeper around bubblewrap: the command cannot see its keeper, and nothing depends on which thread of the worker
 * started it, as `--die-with-parent` then follows the keeper.
 */
export const keeperBubblewrap: Containment = withPrivateTemp({
  mechanism: 'keeper-bubblewrap',
  start: (command) => {
    const flags = bubblewrapFlags(command.sandbox, command.mounts, thisSandboxHost());
    const stay = ['/bin/sh', '-c', STAY, 'ralph-stay'];
    const argv = [programOrFail('bwrap', 'keeper-bubblewrap'), ...flags, '--', ...stay, ...command.argv];
    // bwrap, its namespace's init, the shell that stays.
    return start(command, { mechanism: 'keeper-bubblewrap', argv, depth: 2, cwd: '/' });
  },
});

/**
 * Stands in front of the command. The namespace ends with its first command, and would take along what below it is
 * still ending by itself: once asked to end, this one stops when the command has ended, until the keeper lets it go on.
 */
const STAY = `
trap 'asked=yes' TERM
( exec "$@" )
code=$?
[ -z "$asked" ] || kill -STOP $$
exit $code
`;

const SCRIPT = fileURLToPath(new URL('keeper.pl', import.meta.url));

/** What the keeper allows a command when no worker tells it: after the worker's death, or when a later one asks. */
const ALONE = { graceMs: 500, proveMs: 10_000 };

/** What a keeper may need beyond what it was told, before it counts as hung. */
const ANSWER_MS = 2_000;

async function start(
  command: ContainedCommand,
  how: { mechanism: Mechanism; argv: readonly string[]; depth: number; cwd: string },
): Promise<Contained> {
  const { mechanism, argv, depth, cwd } = how;
  if (process.platform !== 'linux') throw containerFailed(mechanism, 'it needs Linux');
  const marker = newMarker();
  const endFile = `${command.fenceFile}.end`;
  const options = {
    '--machine': machine(),
    '--marker': marker,
    '--depth': depth,
    '--grace': ALONE.graceMs,
    '--prove': ALONE.proveMs,
    '--end-file': endFile,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [name, String(value)]);
  const latched = await startLatched({
    argv: [programOrFail('perl', mechanism), SCRIPT, ...words, '--', ...argv],
    env: command.env,
    cwd,
    stdinFile: command.stdinFile,
    fenceFile: command.fenceFile,
    mechanism,
  });
  const said = latched.said(/^end (.*)$/).then((line) => (line?.[1] === undefined ? null : keeperEnding(line[1])));
  const itself = await bringUp(latched, mechanism, async () => (latched.pid === null ? null : identityOf(latched.pid)));
  const end = (patience: { graceMs: number; proveMs: number }): Promise<Ending> =>
    endByKeeper({ latched, said, itself, marker, ...patience });
  return openContainer({ mechanism, latched, container: [itself], marker, endFile, end }, command);
}

async function endByKeeper({
  latched,
  said,
  itself,
  marker,
  graceMs,
  proveMs,
}: {
  latched: Latched;
  said: Promise<Ending | null>;
  itself: ProcessIdentity;
  marker: Marker;
  graceMs: number;
  proveMs: number;
}): Promise<Ending> {
  latched.tell(`dispose ${graceMs} ${proveMs}`);
  const hung = new AbortController();
  const answer = await Promise.race([said, delay(graceMs + proveMs + ANSWER_MS, null, { signal: hung.signal })]);
  hung.abort();
  if (answer !== null && (await waitUntil(() => !isAlive(itself), ANSWER_MS))) return answer;
  // The keeper was killed or stopped, which only the command or the user can have done.
  await waitUntil(() => killProcess(itself, 'SIGKILL') !== 'sent', ANSWER_MS);
  return endByLooking(() => processTable.marked(marker), proveMs);
}
