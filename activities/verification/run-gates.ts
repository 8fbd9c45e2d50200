import type { CheckProgress } from '../../schemas/round/round-progress.ts';
import { GateCheck, MAX_PROTECTED_PATHS } from '../../schemas/verification/gate.ts';
import { GatesResult } from '../../schemas/verification/lost-checks.ts';
import { makePrivateFolder } from '../../system/write-atomically.ts';
import { finishedCheck } from '../../workspaces/records/checks.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { lostGates } from '../../workspaces/records/lost-steps.ts';
import { checkPaths, runPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { checksAt } from '../../workspaces/records/steps.ts';
import { dropGitDir, renewGitDir } from '../../workspaces/round/renew-git-dir.ts';
import { checkOutClean, removeCheckout } from '../../workspaces/verification/check-out-clean.ts';
import { protectedChanges } from '../../workspaces/verification/protected-changes.ts';
import { watchProtected } from '../../workspaces/verification/watch-protected.ts';
import { watchTracked } from '../../workspaces/verification/watch-tracked.ts';
import { StepInput } from '../../schemas/loop/loop-input.ts';
import { gateInput, type GateInput } from '../step/inputs.ts';
import { durableStep, type BegunStep } from '../step/durable-step.ts';
import { faultOfError, roomFault } from '../step/faults.ts';
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

type GateWork = Omit<Work<StepInput, CheckProgress>, 'input'> & { readonly input: GateInput };

async function runGates(given: Work<StepInput, CheckProgress>): Promise<GatesResult> {
  const input = gateInput(given.input);
  const { request, round, afterCheck, commit } = input;
  const run = runPaths(given.machine.ralphHome, request.runId);
  return await durableStep<GateCheck, never, GatesResult>({
    given,
    run,
    attempts: null,
    numbers: () => checksAt(run, round),
    after: afterCheck,
    finished: () => finishedCheck(run, { round, after: afterCheck, commit }),
    lost: async () => {
      const checks = await lostGates(run, round, afterCheck);
      return checks.length === 0 ? null : { kind: 'lost', round, checks };
    },
    begin: (named) => beginCheck({ ...given, input }, { run, ...named }),
  });
}

function beginCheck(
  { machine, input, turn, show }: GateWork,
  { run, number: check, startedAt }: { run: RunPaths; number: number; startedAt: string },
): BegunStep<GateCheck, never> {
  const { redactor } = machine;
  const { round, counters } = input;
  const paths = checkPaths(run, round, check);
  const endNow = (how: Ending): GateCheck => {
    const record: GateCheck = { ...how, round, check, startedAt, endedAt: new Date().toISOString() };
    return redacted({ redactor, schema: GateCheck, record });
  };
  const showCommand = (command: string | null): void => {
    const activity = command === null ? null : redactor.text(command);
    show({ what: 'gates', round, check, startedAt, activity, tokens: null, counters });
  };
  showCommand(null);
  return {
    failed: ({ fault }) => endNow({ kind: 'failed', fault }),
    work: async () => {
      makePrivateFolder(paths.root);
      return endNow(await checkClaim({ machine, run, paths, input, turn, show: showCommand }));
    },
    record: (ended) => writeJsonAtomically(paths.record, ended),
    unrecorded: (ended, fault) => (ended.kind === 'failed' ? ended : endNow({ kind: 'failed', fault })),
  };
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
  await checkOutClean({ paths: run, commit, head: commit });
  try {
    const changed = await watchProtected(run, request.gatePolicy.protect);
    return await work({ place: cleanCheckout(run), changed });
  } finally {
    // If that fails, the next checkout must do it or fail.
    await removeCheckout(run).catch(() => undefined);
  }
}
