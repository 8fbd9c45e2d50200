import type { CheckProgress } from '../../schemas/round/round-progress.ts';
import { GateCheck, MAX_PROTECTED_PATHS } from '../../schemas/verification/gate.ts';
import { GatesResult } from '../../schemas/verification/lost-checks.ts';
import { makePrivateFolder } from '../../system/write-atomically.ts';
import { finishedCheck } from '../../workspaces/records/checks.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { lostGates } from '../../workspaces/records/lost-steps.ts';
import { checkPaths, runPaths, type CheckPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { checksAt } from '../../workspaces/records/steps.ts';
import { dropGitDir, renewGitDir } from '../../workspaces/round/renew-git-dir.ts';
import { checkOutClean, removeCheckout } from '../../workspaces/verification/check-out-clean.ts';
import { protectedChanges } from '../../workspaces/verification/protected-changes.ts';
import { watchProtected } from '../../workspaces/verification/watch-protected.ts';
import { watchTracked } from '../../workspaces/verification/watch-tracked.ts';
import { StepInput } from '../../schemas/loop/loop-input.ts';
import { writeState } from '../../workspaces/records/loop-state.ts';
import { recover } from '../recover.ts';
import { gateInput, type GateInput } from '../step/inputs.ts';
import { faultOfError, roomFault, unproved } from '../step/faults.ts';
import { redacted, type Machine } from '../step/machine.ts';
import { makeActivity, throwAll, type Work } from '../step/make-activity.ts';
import { cleanCheckout } from '../step/mounts.ts';
import type { TakeTurn } from '../step/one-at-a-time.ts';
import { gateSequence, type Came, type GatePlace, type GateSequence } from './gate-sequence.ts';

/** Run the gates on a checkpoint: a clean checkout, setup, then gate after gate, each disposed of. */
export const runGatesActivity = (machine: Machine, takeTurn: TakeTurn) =>
  makeActivity<typeof StepInput, GatesResult, CheckProgress>(machine, takeTurn, {
    input: StepInput,
    output: GatesResult,
    hold: 'live',
    work: runGates,
    answer: throwAll,
  });

async function runGates({ machine, turn, input: asked, show }: Work<StepInput, CheckProgress>): Promise<GatesResult> {
  const { redactor } = machine;
  const input = gateInput(asked);
  const { request, round, afterCheck, commit, counters } = input;
  const run = runPaths(machine.ralphHome, request.runId);

  // Reuse: nothing is checked twice.
  const finished = await finishedCheck(run, { round, after: afterCheck, commit });
  if (finished !== null) return finished;

  // A check that a full disk kept from having a folder has its number all the same.
  const check = Math.max((await checksAt(run, round)).at(-1) ?? 0, afterCheck) + 1;
  const startedAt = new Date().toISOString();
  const ended = (how: Ending): GateCheck => {
    const named: GateCheck = { ...how, round, check, startedAt, endedAt: new Date().toISOString() };
    return redacted({ redactor, schema: GateCheck, record: named });
  };
  const showCommand = (command: string | null): void => {
    const activity = command === null ? null : redactor.text(command);
    show({ what: 'gates', round, check, startedAt, activity, tokens: null, counters });
  };
  showCommand(null);
  try {
    await writeState(run, asked.state, null);
    // Fence: nothing starts beside what may still run.
    const { alive } = await recover({ redactor, run, request, attempts: null });
    if (alive !== null) return ended({ kind: 'failed', fault: unproved(alive) });
    turn.signal.throwIfAborted();
    // The loop is to count lost checks before others are begun.
    const lost = await lostGates(run, round, afterCheck);
    if (lost.length > 0) return { kind: 'lost', round, checks: lost };

    const paths = checkPaths(run, round, check);
    await makePrivateFolder(paths.root);
    return await record(paths, ended(await checkClaim({ machine, run, paths, input, turn, show: showCommand })));
  } catch (error) {
    if (turn.signal.aborted) throw error;
    return ended({ kind: 'failed', fault: roomFault(error) ?? faultOfError(error, 'workspace-broken') });
  }
}

/** What the gates say of a claim, or why they could not be run. */
async function checkClaim(asked: Omit<GateSequence, 'there'>): Promise<Ending> {
  const { run, input, turn } = asked;
  const { commit, request } = input;
  try {
    const protectedPaths = await changedProtected(run, input);
    // Nothing that runs could save a claim that protected paths reject already: it would cost its time for a known end.
    const isSettled = request.gates.length === 0 || protectedPaths.length > 0;
    const came: Came = isSettled
      ? { kind: 'ran', gates: [] }
      : await atThePlace(run, input, (there) => gateSequence({ ...asked, there }));
    return came.kind === 'ran' ? { kind: 'checked', commit, gates: came.gates, protectedPaths } : came;
  } catch (error) {
    if (turn.signal.aborted) throw error;
    return { kind: 'failed', fault: roomFault(error) ?? faultOfError(error, 'workspace-broken') };
  }
}

/** Write the record down. If the disk has no room for it, that is what the check failed of. */
async function record(paths: CheckPaths, ended: GateCheck): Promise<GateCheck> {
  try {
    await writeJsonAtomically(paths.record, ended);
    return ended;
  } catch (error) {
    const fault = roomFault(error);
    if (fault === null) throw error;
    const { round, check, startedAt, endedAt } = ended;
    return ended.kind === 'failed' ? ended : { kind: 'failed', round, check, startedAt, endedAt, fault };
  }
}

type Common = 'round' | 'check' | 'startedAt' | 'endedAt';
type Ending =
  Omit<Extract<GateCheck, { kind: 'checked' }>, Common> | Omit<Extract<GateCheck, { kind: 'failed' }>, Common>;

/** Protected paths that the run changed; of the baseline none is asked for. */
async function changedProtected(run: RunPaths, { request, isBaseline, commit }: GateInput): Promise<string[]> {
  const globs = isBaseline ? [] : request.gatePolicy.protect;
  const { commit: from } = request.repository;
  return await protectedChanges({ paths: run, from, to: commit, most: MAX_PROTECTED_PATHS, globs });
}

/**
 * Do something where a run's gates belong: in a clean checkout of the commit, whose protected files must stay as they are,
 * or in the workspace as it was left, whose tracked files must.
 */
async function atThePlace<T>(
  run: RunPaths,
  { request, isBaseline, commit }: GateInput,
  work: (there: GatePlace) => Promise<T>,
): Promise<T> {
  if (request.gatePolicy.inPlace) {
    await renewGitDir(run, request);
    const changed = await watchTracked(run, { isBaseline });
    const done = await work({ place: run, changed });
    await dropGitDir(run);
    return done;
  }
  await checkOutClean({ paths: run, commit });
  try {
    const changed = await watchProtected(run, request.gatePolicy.protect);
    return await work({ place: cleanCheckout(run), changed });
  } finally {
    // If that fails, the next checkout must do it or fail.
    await removeCheckout(run).catch(() => undefined);
  }
}
