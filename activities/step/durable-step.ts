import type { StepInput } from '../../schemas/loop/loop-input.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { KnownAttempts } from '../../workspaces/records/attempts.ts';
import { writeState } from '../../workspaces/records/loop-state.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { recover } from '../recover.ts';
import { nothingStarted } from './disposal.ts';
import { roomFault, unproved } from './faults.ts';
import type { Work } from './make-activity.ts';

/** The end of a step that was ended from outside. */
interface Interrupted {
  readonly kind: 'interrupted';
  readonly receipt: Receipt;
}

/** An attempt, a run of the gates or a review. `F`: how it finishes; `I`: how it is interrupted; `L`: those that were lost. */
interface DurableStep<F, I, L> {
  readonly given: Pick<Work<StepInput, never>, 'machine' | 'input' | 'turn'>;
  readonly run: RunPaths;
  /** Of an attempt: those at its round that the loop has counted. Null: it is none, and leaves attempts alone. */
  readonly attempts: KnownAttempts | null;
  /** Numbers of those of its kind and round that were begun, in order. */
  readonly numbers: () => readonly number[];
  /** The last of them that the loop has counted; 0: none. */
  readonly after: number;
  /** One that finished and that the loop has not counted. */
  readonly finished: () => Promise<F | null>;
  /** Those that were ended from outside and that the loop has not counted. None is under way. */
  readonly lost: () => Promise<L | null>;
  /** Name the one that is to be made, and tell of it. Writes nothing. */
  readonly begin: (named: { number: number; startedAt: string }) => BegunStep<F, I>;
}

export interface BegunStep<F, I> {
  /** It cannot start: nothing of it is written down. */
  readonly failed: (why: { fault: Fault; receipt: Receipt }) => F;
  /** Make its folder, which reserves its number, and do the work. */
  readonly work: () => Promise<F | I>;
  readonly record: (ended: F | I) => Promise<void>;
  /** The same end where the disk had no room to record it: a result becomes this fault. */
  readonly unrecorded: (ended: F, fault: Fault) => F;
}

/**
 * Make a step whose worker can be killed at any line: nothing is done or paid for twice, nothing starts beside what may
 * still run, and nothing that was lost stays uncounted.
 */
export async function durableStep<F extends { readonly kind: string }, I extends Interrupted, L>({
  given: { machine, input, turn },
  run,
  attempts,
  numbers,
  after,
  finished,
  lost,
  begin,
}: DurableStep<F, I, L>): Promise<F | L> {
  const { request, state } = input;

  // Reuse what finished.
  const earlier = await finished();
  if (earlier !== null) return earlier;

  // One that a full disk kept from having a folder has its number all the same.
  const number = Math.max(numbers().at(-1) ?? 0, after) + 1;
  const step = begin({ number, startedAt: new Date().toISOString() });
  try {
    await writeState(run, state, attempts === null ? null : attempts.round);

    // Fence: nothing starts beside what may still run.
    const { alive } = await recover({
      redactor: machine.redactor,
      run,
      request,
      attempts: attempts === null ? null : { by: 'worker-lost', known: attempts, mustSave: true },
    });
    if (alive !== null) return step.failed({ fault: unproved(alive), receipt: alive });
    turn.signal.throwIfAborted();

    // Recovery completes an attempt that left its report.
    const completed = await finished();
    if (completed !== null) return completed;

    // Before another one is paid for, the loop counts those that were lost, and asks its budgets.
    const uncounted = await lost();
    if (uncounted !== null) return uncounted;

    const ended = await step.work();
    // What may still run is not written off: the next one to come disposes of it again.
    if (isInterrupted(ended) && ended.receipt.proof === 'unproved') throw turn.signal.reason;
    const recorded = await recordEnd(step, ended);
    if (isInterrupted(recorded)) throw turn.signal.reason;
    return recorded;
  } catch (error) {
    const fault = turn.signal.aborted ? null : roomFault(error);
    if (fault === null) throw error;
    return step.failed({ fault, receipt: nothingStarted() });
  }
}

/** Write the end down. If the disk has no room for it, that is what the step failed of. */
async function recordEnd<F extends { readonly kind: string }, I extends Interrupted>(
  { record, unrecorded }: BegunStep<F, I>,
  ended: F | I,
): Promise<F | I> {
  try {
    await record(ended);
    return ended;
  } catch (error) {
    const fault = roomFault(error);
    if (fault === null) throw error;
    return isInterrupted(ended) ? ended : unrecorded(ended, fault);
  }
}

function isInterrupted(ended: { readonly kind: string }): ended is Interrupted {
  return ended.kind === 'interrupted';
}
