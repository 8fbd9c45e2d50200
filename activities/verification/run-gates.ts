import { Context } from '@temporalio/activity';
import type { CheckProgress } from '../../schemas/verification/check-progress.ts';
import { GateCheck, MAX_PROTECTED_PATHS } from '../../schemas/verification/gate.ts';
import { GateInput } from '../../schemas/verification/gate-input.ts';
import type { GatesResult } from '../../schemas/verification/lost-checks.ts';
import { isBaseline } from '../../schemas/run/run.ts';
import { makePrivateFolder } from '../../system/write-atomically.ts';
import { checksAt } from '../../workspaces/records/check-folders.ts';
import { finishedCheckSince } from '../../workspaces/records/finished-check.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { lostGates } from '../../workspaces/records/lost-checks.ts';
import { protectedChanges } from '../../workspaces/verification/protected-changes.ts';
import { checkPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { asFailure, parseInput } from '../step/failures.ts';
import { faultOfError } from '../step/fault-of-error.ts';
import { atThePlace } from './gate-place.ts';
import { gateSequence, type Came } from './gate-sequence.ts';
import type { Machine } from '../step/machine.ts';
import type { TakeTurn, Turn } from '../step/one-at-a-time.ts';
import { unproved } from '../round/outcome.ts';
import { startPulse, type Pulse } from '../step/pulse.ts';
import { redacted } from '../step/redacted.ts';
import { roomFault } from '../step/room-fault.ts';
import { settleChecks } from './settle-checks.ts';

/** Run the gates on a checkpoint: a clean checkout, setup, then gate after gate, each disposed of. */
export function runGatesActivity(machine: Machine, takeTurn: TakeTurn) {
  return async (given: GateInput): Promise<GatesResult> => {
    const context = Context.current();
    const pulse = startPulse<CheckProgress | null>(context, null);
    let signal = context.cancellationSignal;
    try {
      const input = parseInput(GateInput, given);
      return await takeTurn(input.request.runId, context, async (turn) => {
        ({ signal } = turn);
        return runGates({ machine, turn, input, pulse });
      });
    } catch (error) {
      // A cancelled activity must leave by the very reason: anything else reads as a failure of the gates.
      if (signal.aborted) throw signal.reason;
      throw asFailure(error, machine.redactor);
    } finally {
      pulse.stop();
    }
  };
}

type Asked = { machine: Machine; turn: Turn; input: GateInput; pulse: Pulse<CheckProgress | null> };

async function runGates({ machine, turn, input, pulse }: Asked): Promise<GatesResult> {
  const { redactor } = machine;
  const { request, round, afterCheck, commit } = input;
  const run = runPaths(machine.ralphHome, request.runId);
  const finished = await finishedCheckSince(run, { round, after: afterCheck, commit });
  if (finished !== null) return finished;

  // A check that a full disk kept from having a folder has its number all the same.
  const check = Math.max((await checksAt(run, round)).at(-1) ?? 0, afterCheck) + 1;
  const startedAt = new Date().toISOString();
  const ended = (how: Ending): GateCheck => {
    const record: GateCheck = { ...how, round, check, startedAt, endedAt: new Date().toISOString() };
    return redacted({ redactor, schema: GateCheck, record });
  };
  const show = (activity: string | null): void => {
    const told = activity === null ? null : redactor.text(activity);
    pulse.show({ what: 'gates', round, check, startedAt, activity: told, tokens: null });
  };
  show(null);
  try {
    const alive = (await settleChecks({ run, request })).find(({ proof }) => proof === 'unproved');
    if (alive !== undefined) return ended({ kind: 'failed', fault: unproved(alive) });
    // The loop is to count them before others are begun.
    const lost = await lostGates(run, round, afterCheck);
    if (lost.length > 0) return { kind: 'lost', round, checks: lost };
    const changed = { paths: run, from: request.repository.commit, to: commit, most: MAX_PROTECTED_PATHS };
    const globs = isBaseline(request, round) ? [] : request.gatePolicy.protect;
    const protectedPaths = await protectedChanges({ ...changed, globs });
    const paths = checkPaths(run, round, check);
    await makePrivateFolder(paths.root);
    // What protected paths refuse already, nothing that runs could save: it would cost its time for a known end.
    const isSettled = request.gates.length === 0 || protectedPaths.length > 0;
    const came: Came = isSettled
      ? { kind: 'ran', gates: [] }
      : await atThePlace({ run, request, round, commit }, (there) =>
          gateSequence({ machine, run, paths, input, there, turn, show }),
        );
    const record = ended(came.kind === 'ran' ? { kind: 'checked', commit, gates: came.gates, protectedPaths } : came);
    await writeJsonAtomically(paths.record, record);
    return record;
  } catch (error) {
    if (turn.signal.aborted) throw error;
    return ended({ kind: 'failed', fault: roomFault(error) ?? faultOfError(error, 'workspace-broken') });
  }
}

type Common = 'round' | 'check' | 'startedAt' | 'endedAt';
type Ending =
  Omit<Extract<GateCheck, { kind: 'checked' }>, Common> | Omit<Extract<GateCheck, { kind: 'failed' }>, Common>;
