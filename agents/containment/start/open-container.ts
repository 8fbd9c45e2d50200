import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ralphError } from '../../../schemas/errors/index.ts';
import { MAX_LISTED } from '../../../schemas/round/max-listed.ts';
import type { Mechanism, Receipt, SeenProcess } from '../../../schemas/round/receipt.ts';
import type { Contained, ContainedCommand } from '../containment.ts';
import { messageOf } from '../../../system/error-code.ts';
import { durationText } from '../../../schemas/text/duration.ts';
import { containerFailed, namedIfShort } from '../choose/container-errors.ts';
import { describeProcess } from '../dispose/describe-process.ts';
import { writeFence } from '../dispose/fence.ts';
import type { HeldCommand } from './start-barrier.ts';
import type { Marker } from '../../../system/processes/marker.ts';
import type { ProcessIdentity } from '../../../system/processes/process-entry.ts';
import { privateTempOf } from '../bubblewrap/private-temp.ts';
import { killProcess, stillAlive } from '../../../system/processes/process-identity.ts';
import { processTable } from '../../../system/processes/process-table.ts';
import { waitUntil } from '../dispose/wait-until.ts';

/** What ending a container found and proved; the rest of a receipt is common to all. */
export type Ending = Pick<Receipt, 'proof' | 'signals' | 'killed' | 'killedUnlisted' | 'left'>;

interface Patience {
  readonly graceMs: number;
  readonly proveMs: number;
}

/** How one mechanism knows and ends what is in its container. */
export interface Hold {
  readonly mechanism: Mechanism;
  readonly held: HeldCommand;
  /** The container's own processes, first the one that everything in it descends from. */
  readonly container: readonly [ProcessIdentity, ...ProcessIdentity[]];
  readonly marker: Marker | null;
  /** Where the container itself leaves what it proved, should no worker be there to hear it. */
  readonly endFile: string | null;
  /** Ask the command, wait, kill everything, wait until proved. */
  end(patience: Patience): Promise<Ending>;
}

const AT_ONCE: Patience = { graceMs: 0, proveMs: 5_000 };

/** Put the fence on disk, then let the command start. What was started so far is ended where it may not go on. */
export async function openContainer(hold: Hold, command: ContainedCommand): Promise<Contained> {
  const { mechanism, held, container, marker, endFile } = hold;
  const { fenceFile } = command;
  const tempFolder = privateTempOf(command);
  const mayStart = await writeFence(fenceFile, { mechanism, container, marker, endFile, tempFolder }).catch(
    async (error: unknown) => {
      await hold.end(AT_ONCE);
      throw error;
    },
  );
  if (!mayStart) {
    await hold.end(AT_ONCE);
    throw ralphError('attempt-fenced-off', { fenceFile });
  }
  held.go();
  if (!(await held.started)) {
    const words = await lastWords(held);
    await hold.end(AT_ONCE);
    throw namedIfShort(containerFailed(mechanism, words === '' ? 'its command could not be started' : words));
  }

  let receipt: Promise<Receipt> | null = null;
  return {
    mechanism,
    stdout: held.stdout,
    stderr: held.stderr,
    exited: held.exited,
    cpuMs: () => Promise.resolve(cpuMsBelow(container[0])),
    dispose: (how) => (receipt ??= dispose(hold, how)),
  };
}

/** Streams end by themselves once nothing writes to them; a descriptor passed out of the container must not hold us. */
const STREAM_END_MS = 5_000;

async function dispose(hold: Hold, how: Parameters<Contained['dispose']>[0]): Promise<Receipt> {
  const from = performance.now();
  const ending = await hold.end(how).catch((error: unknown) => unproved(hold, error));
  hold.held.close();
  setTimeout(() => {
    hold.held.stdout.destroy();
    hold.held.stderr.destroy();
  }, STREAM_END_MS).unref();
  return {
    cause: how.cause,
    mechanism: hold.mechanism,
    ...ending,
    ms: Math.round(performance.now() - from),
    at: new Date().toISOString(),
    host: hostname(),
    commit: null,
  };
}

/**
 * SIGTERM to the command, the one child of its start barrier, and to all that is below it: a shell in front of an agent would
 * neither hand it on nor wait. Then `graceMs` for all of them to end.
 */
export async function askToStop(
  held: HeldCommand,
  barrier: ProcessIdentity,
  graceMs: number,
): Promise<Receipt['signals']> {
  const { asked, seen } = ask(barrier);
  if (asked.length === 0) return [];
  const until = Date.now() + graceMs;
  const patience = new AbortController();
  await Promise.race([held.exited, delay(graceMs, undefined, { signal: patience.signal })]);
  patience.abort();
  await waitUntil(() => !anyAliveOrUnknown(asked), Math.max(0, until - Date.now()));
  return seen.map(({ pid, command }) => ({ signal: 'SIGTERM', pid, command }));
}

/** Some of them are named, as they were before they were asked: what ends has no command line any more. */
function ask(barrier: ProcessIdentity): { asked: readonly ProcessIdentity[]; seen: readonly SeenProcess[] } {
  try {
    const asked: ProcessIdentity[] = [];
    const seen: SeenProcess[] = [];
    for (const entry of processTable.below(barrier.pid)) {
      const named = seen.length < MAX_LISTED ? describeProcess(entry) : null;
      if (killProcess(entry, 'SIGTERM') !== 'sent') continue;
      asked.push(entry);
      if (named !== null) seen.push(named);
    }
    return { asked, seen };
  } catch {
    // The process table cannot be read now (EMFILE). Asking is a courtesy; what must happen comes next.
    return { asked: [], seen: [] };
  }
}

function anyAliveOrUnknown(asked: readonly ProcessIdentity[]): boolean {
  try {
    return stillAlive(asked).length > 0;
  } catch {
    // The process table cannot be read now: patience lasts for the grace period anyway.
    return true;
  }
}

function unproved({ container: [root] }: Hold, error: unknown): Ending {
  const why = messageOf(error);
  return {
    proof: 'unproved',
    signals: [],
    killed: [],
    killedUnlisted: 0,
    left: [{ pid: root.pid, command: '[container]', why }],
  };
}

function cpuMsBelow(root: ProcessIdentity): number | null {
  try {
    return processTable.below(root.pid).reduce((sum, entry) => sum + entry.cpuMs, 0);
  } catch {
    // The process table cannot be read now (EMFILE).
    return null;
  }
}

/**
 * Wait until a container is complete, and find the processes that make it up. A container of which that cannot be said
 * is ended, as nobody could dispose of it later.
 * @param find null where they are not there
 * @throws RalphError `container-failed`
 */
export async function bringUp<T>(held: HeldCommand, mechanism: Mechanism, find: () => Promise<T | null>): Promise<T> {
  let cause = 'it ended without a word';
  try {
    const ready = await Promise.race([held.ready, delay(COMES_UP_MS, null, { ref: false })]);
    if (ready === null) cause = `it was not complete within ${durationText(COMES_UP_MS)}`;
    const found = ready === true ? await find() : null;
    if (found !== null) return found;
  } catch (error) {
    cause = `its processes cannot be seen: ${messageOf(error)}`;
  }
  const words = await giveUp(held);
  throw containerFailed(mechanism, words === '' ? cause : words);
}

/** Most take milliseconds; a machine under load a second or two. */
const COMES_UP_MS = 30_000;

const END_MS = 5_000;

/** End a container in which no command was started yet. @returns its last words */
async function giveUp(held: HeldCommand): Promise<string> {
  const words = await lastWords(held);
  // A barrier that reads an end of file instead of its word ends.
  held.close();
  held.kill();
  await Promise.race([held.exited, delay(END_MS, undefined, { ref: false })]);
  for (const stream of [held.stdout, held.stderr]) stream.destroy();
  return words;
}

const MAX_WORDS_CHARS = 400;
const WORDS_MS = 500;

/** What a container in which no command was started said on stderr, bounded: most often that says why. */
async function lastWords({ stderr }: HeldCommand): Promise<string> {
  const words: string[] = [];
  stderr.setEncoding('utf8').on('data', (chunk: string) => words.push(chunk));
  await Promise.race([once(stderr, 'close'), delay(WORDS_MS, undefined, { ref: false })]);
  return words.join('').trim().slice(-MAX_WORDS_CHARS);
}
