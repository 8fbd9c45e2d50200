import path from 'node:path';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import type { SandboxLevel } from '../../../schemas/run/sandbox.ts';
import { waitUntil } from '../../../agents/containment/dispose/wait-until.ts';
import { makeAttempt } from './attempt.ts';
import type { Attempt, Run } from './attempt.ts';
import { PROOFS, startStandInWorker } from './stand-in-worker.ts';
import type { StandInWorker } from './stand-in-worker.ts';

export interface Setting {
  readonly build: string;
  readonly mechanism: Mechanism;
  readonly level: SandboxLevel;
  readonly uid: number | null;
}

export function attemptOf({ build, level, uid }: Setting, run: Run): Attempt {
  return makeAttempt({ place: build, fixtures: path.join(build, 'fixtures'), level, uid, run });
}

const ARM_MS = 10_000;

/** How long after its worker's SIGKILL anything of a round may still be there. */
const AFTER_KILL_MS = 2_000;

/** What went wrong in one case, in words; null: nothing did. Reported together, so that one run shows the whole table. */
type Finding = string | null;

/** Start a stand-in agent, cancel it or let it end, and count at the very return of dispose. */
export async function disposeCase(
  worker: StandInWorker,
  setting: Setting,
  how: { standIn: string; ending: 'cancel' | 'end' },
): Promise<Finding> {
  const endsByItself = how.ending === 'end';
  const attempt = attemptOf(setting, { standIn: how.standIn, endsByItself });
  const started = await worker.ask({ start: { mechanism: setting.mechanism, command: attempt.command } });
  if (started.error !== undefined) return `not started: ${started.error.message}`;
  if (!(await waitUntil(attempt.armed, ARM_MS))) return 'never armed';
  if (endsByItself) await worker.ask({ wait: true });
  const cause = endsByItself ? 'finished' : 'cancelled';
  const { receipt } = await worker.ask({ dispose: { cause, graceMs: 200, proveMs: 10_000 } });
  const survivors = worker.survivors();
  if (survivors.length > 0) return `survivors: ${survivors.join(', ')}`;
  return receipt?.proof === PROOFS[setting.mechanism] ? null : `proof ${receipt?.proof}: ${JSON.stringify(receipt)}`;
}

/** Start a stand-in agent, SIGKILL its worker, count after two seconds at most; then a later worker must find proof. */
export async function workerKilledCase(setting: Setting, standIn: string): Promise<Finding> {
  const worker = await startStandInWorker(setting);
  const attempt = attemptOf(setting, { standIn, endsByItself: false });
  const started = await worker.ask({ start: { mechanism: setting.mechanism, command: attempt.command } });
  if (started.error !== undefined) return `not started: ${started.error.message}`;
  if (!(await waitUntil(attempt.armed, ARM_MS))) return 'never armed';
  worker.signal('SIGKILL');
  await worker.gone;
  await waitUntil(() => worker.survivors().length === 0, AFTER_KILL_MS);
  const survivors = worker.survivors();
  if (survivors.length > 0) return `survivors ${AFTER_KILL_MS} ms after the kill: ${survivors.join(', ')}`;
  const later = await startStandInWorker(setting);
  const { fenceFile } = attempt.command;
  const { receipt } = await later.ask({
    earlier: { fenceFile, cause: 'worker-lost', proveMs: 5_000 },
  });
  later.signal('SIGKILL');
  await later.gone;
  return receipt?.proof === PROOFS[setting.mechanism] ? null : `proof afterwards: ${JSON.stringify(receipt)}`;
}
