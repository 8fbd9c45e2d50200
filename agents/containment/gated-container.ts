import { setTimeout as delay } from 'node:timers/promises';
import { hostname } from 'node:os';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Mechanism, Proof, Receipt } from '../../schemas/receipt.ts';
import type { Contained, ContainedCommand, ProcessIdentity } from './containment.ts';
import { writeFence } from './fence.ts';
import type { Gated } from './gate.ts';
import type { Marker } from './marker.ts';
import { killProcess } from './process-identity.ts';
import { descendantsOf, readProcesses, TICKS_PER_SECOND } from './process-table.ts';

/** What ending a container found and proved; the rest of a receipt is common to all. */
export type Ending = Pick<Receipt, 'proof' | 'signals' | 'killed' | 'left'>;

/** How one mechanism knows and ends what is in its container. */
export interface Hold {
  readonly mechanism: Mechanism;
  readonly gated: Gated;
  /** The process that stands for the container: the parent of everything in it, as far as the mechanism sees. */
  readonly root: ProcessIdentity;
  /** The gate; its one child is the command. */
  readonly gate: ProcessIdentity;
  readonly marker: Marker | null;
  /** SIGKILL to everything and wait, for at most `proveMs`, until nothing is left. */
  end(proveMs: number): Promise<Ending>;
}

/** Put the fence on disk, then let the command start. What was started so far is ended where it may not go on. */
export async function openContainer(hold: Hold, command: ContainedCommand): Promise<Contained> {
  const { mechanism, gated, root, gate, marker } = hold;
  const container = root.pid === gate.pid ? [root] : [root, gate];
  const mayStart = await writeFence(command.fenceFile, { mechanism, container, marker }).catch(
    async (error: unknown) => {
      await hold.end(PROVE_MS);
      throw error;
    },
  );
  if (!mayStart) {
    await hold.end(PROVE_MS);
    throw ralphError('attempt-fenced-off', { fenceFile: command.fenceFile });
  }
  gated.go();

  let receipt: Promise<Receipt> | null = null;
  return {
    mechanism,
    stdout: gated.stdout,
    stderr: gated.stderr,
    exited: gated.exited,
    cpuMs: () => Promise.resolve(cpuMsBelow(root)),
    dispose: (how) => (receipt ??= dispose(hold, how)),
  };
}

const PROVE_MS = 5_000;

/** Streams end by themselves once nothing writes to them; a descriptor passed out of the container must not hold us. */
const STREAM_END_MS = 5_000;

async function dispose(hold: Hold, how: Parameters<Contained['dispose']>[0]): Promise<Receipt> {
  const from = performance.now();
  const asked = await askToStop(hold, how.graceMs);
  const ending = await hold.end(how.proveMs).catch((error: unknown) => unproved(hold, error));
  setTimeout(() => {
    hold.gated.stdout.destroy();
    hold.gated.stderr.destroy();
  }, STREAM_END_MS).unref();
  return {
    cause: how.cause,
    mechanism: hold.mechanism,
    ...ending,
    signals: [...asked, ...ending.signals],
    ms: Math.round(performance.now() - from),
    at: new Date().toISOString(),
    host: hostname(),
    commit: null,
  };
}

/** SIGTERM to the command itself, and `graceMs` for it to react. What it started is not asked. */
async function askToStop({ gate, gated }: Hold, graceMs: number): Promise<Receipt['signals']> {
  const command = readProcesses().find((entry) => entry.parent === gate.pid);
  if (command === undefined || killProcess(command, 'SIGTERM') !== 'sent') return [];
  const patience = new AbortController();
  await Promise.race([gated.exited, delay(graceMs, undefined, { signal: patience.signal })]);
  patience.abort();
  return [{ signal: 'SIGTERM', pid: command.pid }];
}

function unproved({ root }: Hold, error: unknown): Ending {
  const why = error instanceof Error ? error.message : String(error);
  const proof: Proof = 'unproved';
  return { proof, signals: [], killed: [], left: [{ pid: root.pid, command: '[container]', why }] };
}

function cpuMsBelow(root: ProcessIdentity): number {
  const ticks = descendantsOf(root.pid, readProcesses()).reduce((sum, entry) => sum + entry.ticks, 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}
