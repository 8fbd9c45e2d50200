import { isDeepStrictEqual } from 'node:util';
import { ralphError } from '../../schemas/errors/index.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { readFinalState, readRoundState, readState } from '../../workspaces/records/loop-state.ts';
import { roundStatePath, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { uncountedEvents } from '../../workspaces/records/uncounted.ts';
import { advance } from '../../workflows/decide/advance.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { EndedRun } from './ended-run.ts';
import { newRunCommand } from './new-run-command.ts';
import { signedStates, startedWith } from './signed-copy.ts';

/** The states that a follow-up is made from. */
export interface ResumePoint {
  /** What the loop ended with: what counts against the budgets, also after a rollback. */
  readonly final: LoopState;
  /** What the follow-up begins with: the final state, or after a rollback the one before the first discarded round. */
  readonly start: LoopState;
}

/**
 * Throws RalphError `state-missing`, and `state-altered` if a file differs from the copy that Temporal keeps signed.
 * @param link null: the files are not compared
 */
export async function resumePoint(run: EndedRun, link: TemporalLink | null): Promise<ResumePoint> {
  const final = await finalOf(run, link);
  const { rollback, paths } = run;
  if (rollback === null) return { final, start: final };
  const next = rollback.to + 1;
  const start = await readRoundState(paths, next);
  // No later round was begun: what the rollback discarded came after the last report.
  if (start === null) return { final, start: final };
  // An earlier state of the run is signed as well, and is not the one before that round.
  const isRight = start.rounds === rollback.to && (link === null || (await isSigned(run.runId, { start, link })));
  if (!isRight) {
    throw ralphError('state-altered', { runId: run.runId, file: roundStatePath(paths, next) });
  }
  return { final, start };
}

/** Throws RalphError `state-missing` if a run left no state, as those of 0.1.0 did. */
export async function requireState({ runId, paths, request }: EndedRun, done: string): Promise<void> {
  if ((await readFinalState(paths)) !== null || (await readState(paths)) !== null) return;
  const command = newRunCommand(request, paths.request);
  throw ralphError('state-missing', { runId, done, file: paths.state, command });
}

/** The final state of a run as its files have it; null: it left none. */
export async function finalStateOnDisk(paths: RunPaths, request: RunRequest): Promise<LoopState | null> {
  return (await readFinalState(paths)) ?? lastWritten(paths, request);
}

/** Nothing wrote the final state of a terminated run: it is the last one written, and what ended on disk after that. */
async function lastWritten(paths: RunPaths, request: RunRequest): Promise<LoopState | null> {
  const written = await readState(paths);
  if (written === null) return null;
  const events = await uncountedEvents(paths, written);
  return events.reduce((state, event) => advance(request, state, event).state, written);
}

async function finalOf(run: EndedRun, link: TemporalLink | null): Promise<LoopState> {
  const { runId, paths, request } = run;
  await requireState(run, 'resumed');
  const released = await readFinalState(paths);
  const signed = link === null ? null : await lastSigned(link, runId);
  // A release that Temporal never heard the end of is not proved: what it was made from is.
  const isReleased = released !== null && (signed === null || signed.released !== null);
  if (isReleased) {
    if (signed !== null && !isDeepStrictEqual(signed.released, released)) {
      throw ralphError('state-altered', { runId, file: paths.ending });
    }
    return released;
  }
  const written = await readState(paths);
  if (signed !== null && !signed.received.some((state) => isDeepStrictEqual(state, written))) {
    throw ralphError('state-altered', { runId, file: paths.state });
  }
  const final = await lastWritten(paths, request);
  if (final === null) throw ralphError('state-altered', { runId, file: paths.state });
  return final;
}

/** Two, as the last activity may have been scheduled and never begun. */
const LAST_RECEIVED = 2;

/** What Temporal last kept of a run's state; null: it has forgotten the run. */
async function lastSigned(
  link: TemporalLink,
  runId: string,
): Promise<{ released: LoopState | null; received: readonly LoopState[] } | null> {
  const received: LoopState[] = [];
  for await (const each of signedStates(link, runId)) {
    if (each.kind === 'forgotten') return received.length === 0 ? null : { released: null, received };
    if (each.kind === 'released') return { released: each.state, received };
    received.push(each.state);
    if (received.length === LAST_RECEIVED) break;
  }
  return { released: null, received };
}

/** Whether Temporal keeps this state; assumed if it has forgotten that part of the run. */
async function isSigned(runId: string, { start, link }: { start: LoopState; link: TemporalLink }): Promise<boolean> {
  for await (const each of signedStates(link, runId)) {
    if (each.kind === 'forgotten') return true;
    if (isDeepStrictEqual(each.state, start)) return true;
    if (each.state.rounds < start.rounds) return false;
  }
  return false;
}

/** Throws RalphError `request-altered` if `request.json` is not what the run was started with, as far as Temporal knows. */
export async function rejectAlteredRequest({ runId, paths, request }: EndedRun, link: TemporalLink): Promise<void> {
  const signed = await startedWith(link, runId);
  if (signed === null || isDeepStrictEqual(signed, request)) return;
  throw ralphError('request-altered', { runId, file: paths.request });
}
