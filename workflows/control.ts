import { ActivityFailure, CancellationScope, condition, isCancellation, setHandler } from '@temporalio/workflow';
import { raiseCeilings } from '../schemas/budget/ceilings.ts';
import { ControlMessage, MAX_CONTROLS, type Control } from '../schemas/loop/control.ts';
import { boundText } from '../schemas/text/bound-text.ts';
import { cancelReasonSignal, controlSignal } from './messages.ts';
import { say, writeMemo, type Run } from './run.ts';

const MAX_REASON_CHARS = 4_096;

/** Listen to what a person tells the run. Whoever reaches the server can send anything: what is not ours is ignored. */
export function listen(run: Run): void {
  setHandler(cancelReasonSignal, (given: unknown) => {
    if (typeof given === 'string') run.cancelReason = boundText(given, MAX_REASON_CHARS);
  });
  setHandler(controlSignal, (given: unknown) => {
    const message = ControlMessage.safeParse(given);
    if (!message.success) return;
    const { nonce, control } = message.data;
    // An old signal, signed like every other, can be sent again by anybody who reaches the server.
    if (run.nonces.includes(nonce) || run.nonces.length >= MAX_CONTROLS) return;
    run.nonces = [...run.nonces, nonce];
    obey(run, control);
    writeMemo(run);
  });
}

function obey(run: Run, control: Control): void {
  switch (control.kind) {
    case 'pause':
      run.controls = { ...run.controls, pause: true };
      if (control.now && run.interrupt !== null) run.interrupt();
      return;
    case 'resume':
      run.controls = { ...run.controls, pause: false };
      return;
    case 'stop':
      run.controls = { ...run.controls, stop: true };
      return;
    case 'retry':
      run.retries += 1;
      return;
    case 'raise':
      run.state = { ...run.state, ceilings: raiseCeilings(run.state.ceilings, control) };
      return;
    default:
      control satisfies never;
  }
}

/** Wait until the run is resumed or stopped. */
export async function whilePaused(run: Run): Promise<void> {
  if (!run.controls.pause || run.controls.stop) return;
  say(run, { status: 'paused', round: run.round });
  await condition(() => !run.controls.pause || run.controls.stop);
}

/** Do `work`, which `pause --now` ends early. @returns null if it did */
export async function unlessPaused<T>(run: Run, work: () => Promise<T>): Promise<T | null> {
  const outer = CancellationScope.current();
  const scope = new CancellationScope();
  run.interrupt = () => scope.cancel();
  try {
    return await scope.run(work);
  } catch (error) {
    // A step whose worker is lost under a pause ends as lost: the person's word counts all the same.
    const ended = isCancellation(error) || error instanceof ActivityFailure;
    if (ended && scope.consideredCancelled && !outer.consideredCancelled) return null;
    throw error;
  } finally {
    run.interrupt = null;
  }
}
