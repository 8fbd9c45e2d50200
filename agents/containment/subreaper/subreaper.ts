import { machine } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { SeenProcess } from '../../../schemas/round/receipt.ts';
import { newMarker, type Marker } from '../../../system/processes/marker.ts';
import type { ProcessIdentity } from '../../../system/processes/process-entry.ts';
import { identityOf, isAlive, killProcess } from '../../../system/processes/process-identity.ts';
import { processTable } from '../../../system/processes/process-table.ts';
import { withPrivateTemp } from '../bubblewrap/private-temp.ts';
import { containerFailed, programOrFail } from '../choose/container-errors.ts';
import type { Contained, ContainedCommand, Containment } from '../containment.ts';
import { commandLine, listed } from '../dispose/describe-process.ts';
import { endByLooking } from '../dispose/end-by-looking.ts';
import { waitUntil } from '../dispose/wait-until.ts';
import { bringUp, openContainer, type Ending } from '../start/open-container.ts';
import { startHeld, type HeldCommand } from '../start/start-barrier.ts';

/**
 * A subreaper of its own for the command (`subreaper.pl`): everything that the command starts becomes its child in the
 * end, and when waitpid says ECHILD nothing is left. It lives and dies with the worker by a lifeline. It holds neither
 * files nor the network: its level is `full-access`. A command that kills its subreaper is found by its marker only, and
 * its receipt reads `observed`.
 */
export const subreaper: Containment = withPrivateTemp({ mechanism: 'subreaper', start });

const SCRIPT = fileURLToPath(new URL('subreaper.pl', import.meta.url));

/** What the subreaper allows a command when no worker tells it: after the worker's death, or when a later one asks. */
const ALONE = { graceMs: 500, proveMs: 10_000 };

/** What a subreaper may need beyond what it was told, before it counts as hung. */
const ANSWER_MS = 2_000;

async function start(command: ContainedCommand): Promise<Contained> {
  const mechanism = 'subreaper';
  if (process.platform !== 'linux') throw containerFailed(mechanism, 'it needs Linux');
  const marker = newMarker();
  const endFile = `${command.fenceFile}.end`;
  const options = {
    '--machine': machine(),
    '--marker': marker,
    '--grace': ALONE.graceMs,
    '--prove': ALONE.proveMs,
    '--end-file': endFile,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [name, String(value)]);
  const held = await startHeld({
    argv: [programOrFail('perl', mechanism), SCRIPT, ...words, '--', ...command.argv],
    // Perl must not complain about a LANG that is not installed. The script takes it away again.
    env: { ...command.env, PERL_BADLANG: '0' },
    cwd: command.mounts.tree,
    stdinFile: command.stdinFile,
    fenceFile: command.fenceFile,
    mechanism,
  });
  const said = held.said(/^end (.*)$/).then((line) => (line?.[1] === undefined ? null : subreaperEnding(line[1])));
  const itself = await bringUp(held, mechanism, async () => (held.pid === null ? null : identityOf(held.pid)));
  const end = (patience: { graceMs: number; proveMs: number }): Promise<Ending> =>
    endBySubreaper({ held, said, itself, marker, ...patience });
  return openContainer({ mechanism, held, container: [itself], marker, endFile, end }, command);
}

async function endBySubreaper({
  held,
  said,
  itself,
  marker,
  graceMs,
  proveMs,
}: {
  held: HeldCommand;
  said: Promise<Ending | null>;
  itself: ProcessIdentity;
  marker: Marker;
  graceMs: number;
  proveMs: number;
}): Promise<Ending> {
  held.tell(`dispose ${graceMs} ${proveMs}`);
  const hung = new AbortController();
  const answer = await Promise.race([said, delay(graceMs + proveMs + ANSWER_MS, null, { signal: hung.signal })]);
  hung.abort();
  if (answer !== null && (await waitUntil(() => !isAlive(itself), ANSWER_MS))) return answer;
  // The subreaper was killed or stopped, which only the command or the user can have done.
  await waitUntil(() => killProcess(itself, 'SIGKILL') !== 'sent', ANSWER_MS);
  return endByLooking(() => processTable.marked(marker), proveMs);
}

const Seen = z.object({ pid: z.int(), name: z.string(), words: z.array(z.string()) });
const SubreaperEnd = z.object({
  proof: z.enum(['echild', 'unproved']),
  // A subreaper of an earlier version names nothing.
  signals: z.array(
    Seen.extend({ signal: z.string(), name: z.string().default(''), words: z.array(z.string()).default([]) }),
  ),
  killed: z.array(Seen),
  killedUnlisted: z.int().nonnegative(),
  left: z.array(Seen.extend({ why: z.string() })),
});

function seen({ pid, name, words }: z.infer<typeof Seen>): SeenProcess {
  return { pid, command: commandLine(name, words) };
}

/** What a subreaper proved, as it says it and as it leaves it in its end file. Null: it did not say it whole. */
export function subreaperEnding(json: string): Ending | null {
  const end = SubreaperEnd.safeParse(parsed(json));
  if (!end.success) return null;
  return {
    proof: end.data.proof,
    signals: end.data.signals.map(({ signal, ...asked }) => ({
      signal,
      pid: asked.pid,
      command: asked.name === '' ? null : seen(asked).command,
    })),
    ...listed(end.data.killed.map(seen), end.data.killed.length + end.data.killedUnlisted),
    left: end.data.left.map((process_) => ({ ...seen(process_), why: process_.why })),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Cut off, or not the subreaper's.
    return null;
  }
}
