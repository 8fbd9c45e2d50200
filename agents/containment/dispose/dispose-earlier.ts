import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { DisposalCause, Mechanism, Receipt } from '../../../schemas/round/receipt.ts';
import { endNamespace } from '../bubblewrap/bubblewrap.ts';
import { messageOf } from '../../../system/error-code.ts';
import { endByLooking } from './end-by-looking.ts';
import { closeFence, readFence, thisHost } from './fence.ts';
import type { StartedFence } from './fence.ts';
import type { Ending } from '../start/open-container.ts';
import { subreaperEnding } from '../subreaper/subreaper.ts';
import { isAlive, killProcess } from '../../../system/processes/process-identity.ts';
import { processTable } from '../../../system/processes/process-table.ts';
import { removeTemp } from '../bubblewrap/private-temp.ts';
import { membersOf } from '../subreaper/process-group.ts';
import { waitUntil } from './wait-until.ts';

/**
 * End what an earlier attempt left, whose worker died, was stopped or was cut off, and see that nothing of it can
 * start any more: an attempt that has no fence yet gets a closed one, which its own worker will run into.
 *
 * Never rejects. The next attempt may start unless the receipt reads `unproved`. `observed` is what is left to say
 * where the mechanism's own proof died with it (a subreaper that was killed, a process group).
 */
export async function disposeEarlier(how: {
  /** The attempt's fence; its folder must exist. */
  fenceFile: string;
  cause: DisposalCause;
  proveMs: number;
}): Promise<Receipt> {
  const from = performance.now();
  const receipt = ({ mechanism, ...ending }: Found): Receipt => ({
    cause: how.cause,
    mechanism,
    ...ending,
    ms: Math.round(performance.now() - from),
    at: new Date().toISOString(),
    host: hostname(),
    commit: null,
  });
  try {
    return receipt(await endEarlier(how));
  } catch (error) {
    const why = `what the attempt started cannot be known: ${messageOf(error)}`;
    return receipt({ ...NOTHING, mechanism: null, proof: 'unproved', left: [{ pid: 0, command: '?', why }] });
  }
}

/** `mechanism`: the one on record; null: none is. */
type Found = Ending & { readonly mechanism: Mechanism | null };

const NOTHING = { signals: [], killed: [], killedUnlisted: 0, left: [] };

async function endEarlier({ fenceFile, proveMs }: { fenceFile: string; proveMs: number }): Promise<Found> {
  if (await closeFence(fenceFile)) return { ...NOTHING, mechanism: null, proof: 'nothing-started' };
  const fence = await readFence(fenceFile);
  if (fence === null) return { ...NOTHING, mechanism: null, proof: 'observed' };
  switch (fence.kind) {
    case 'closed':
      return { ...NOTHING, mechanism: null, proof: 'nothing-started' };
    case 'started': {
      const ending = await endOnHost(fence, proveMs);
      if (fence.tempFolder !== null && ending.proof !== 'unproved') await removeTemp(fence.tempFolder);
      return { ...ending, mechanism: fence.mechanism };
    }
    default:
      return fence satisfies never;
  }
}

async function endOnHost(fence: StartedFence, proveMs: number): Promise<Ending> {
  const here = thisHost();
  if (fence.host.machine !== null && here.machine !== null && fence.host.machine !== here.machine) {
    const why = `the attempt ran on another machine, ${fence.host.name}, which cannot be seen from ${here.name}`;
    return { ...NOTHING, proof: 'unproved', left: fence.container.map(({ pid }) => ({ pid, command: '?', why })) };
  }
  if (fence.host.boot !== null && fence.host.boot !== here.boot) {
    // Where the machine has no id, another one's boot looks like a later boot of this one.
    const same = fence.host.machine !== null && fence.host.machine === here.machine;
    return { ...NOTHING, proof: same ? 'host-rebooted' : 'observed' };
  }
  const ending = await endContainer(fence, proveMs);
  // Another pid namespace: its pids are not ours, so that they are gone says less.
  const blind = fence.host.pidNamespace !== here.pidNamespace;
  return blind && ending.proof !== 'unproved' ? { ...ending, proof: 'observed' } : ending;
}

async function endContainer(fence: StartedFence, proveMs: number): Promise<Ending> {
  const [root, ...rest] = fence.container;
  if (root === undefined) return { ...NOTHING, proof: 'nothing-started' };
  switch (fence.mechanism) {
    case 'bubblewrap':
      return await endNamespace([root, ...rest], proveMs);
    case 'subreaper':
      return await endByEarlierSubreaper(fence, proveMs);
    case 'process-group':
      return await endByLooking(() => membersOf(root, fence.marker ?? 0), proveMs);
    default:
      return fence.mechanism satisfies never;
  }
}

/** A subreaper whose worker died is at work already; one whose worker was only stopped is asked by SIGTERM. */
async function endByEarlierSubreaper(fence: StartedFence, proveMs: number): Promise<Ending> {
  const [subreaper] = fence.container;
  const marked = () => processTable.marked(fence.marker ?? 0).filter(({ pid }) => pid !== subreaper?.pid);
  if (subreaper !== undefined) {
    killProcess(subreaper, 'SIGTERM');
    if (!(await waitUntil(() => !isAlive(subreaper), proveMs))) killProcess(subreaper, 'SIGKILL');
  }
  const left = fence.endFile === null ? null : await leftBySubreaper(fence.endFile);
  // The end file may be another's work at this level; what still bears the marker shows that.
  if (left?.proof === 'echild' && marked().length === 0) return left;
  return await endByLooking(marked, proveMs);
}

async function leftBySubreaper(endFile: string): Promise<Ending | null> {
  try {
    return subreaperEnding(await readFile(endFile, 'utf8'));
  } catch {
    // It never came to write one.
    return null;
  }
}
