import { setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Controls } from '../schemas/loop/control.ts';
import type { LoopInput, LoopSettings } from '../schemas/loop/loop-input.ts';
import { MEMO_KEY, memoOf, type Doing } from '../schemas/loop/memo.ts';
import type { LoopState } from '../schemas/loop/state.ts';
import type { RunRequest } from '../schemas/run/run.ts';
import { activitiesOf, type RunActivities } from './activity-proxies.ts';

/** A run: what every step is given. Steps change `state`; signals change `controls`, `retries` and the ceilings in `state`. */
export interface Run {
  readonly request: RunRequest;
  readonly settings: LoopSettings;
  readonly activities: RunActivities;
  state: LoopState;
  /** The round that something is done about; 0 before the first. */
  round: number;
  /** What a person asked for and the loop still has to obey. */
  controls: Controls;
  /** How often a person ended a wait. */
  retries: number;
  /** Of the control signals that were obeyed. */
  nonces: readonly string[];
  /** Why the user cancels; null: not known. */
  cancelReason: string | null;
  /** Ends the current step, for a pause that cannot wait; null: nothing that could be ended is under way. */
  interrupt: (() => void) | null;
  /** As the memo has it. */
  doing: Doing;
}

export function newRun({ request, settings, state, carried }: LoopInput): Run {
  return {
    request,
    settings,
    activities: activitiesOf(request, settings),
    state,
    round: state.rounds,
    controls: carried === null ? { pause: false, stop: false } : carried.controls,
    retries: 0,
    nonces: carried === null ? [] : carried.nonces,
    cancelReason: carried === null ? null : carried.cancelReason,
    interrupt: null,
    doing: { status: 'starting' },
  };
}

/** Say what the run does now, if that changed. A round more is no change: its heartbeat says so. */
export function say(run: Run, doing: Doing): void {
  const { status, why, until } = run.doing;
  const isSame = status === doing.status && why === doing.why && until === doing.until && doing.receipt === undefined;
  run.doing = doing;
  if (!isSame) writeMemo(run);
}

/** Keep the run's memo: what `list` and `status` show while nobody is there to answer a query. */
export function writeMemo({ request, state, controls, nonces, doing }: Run): void {
  const memo = memoOf({
    request,
    state,
    controls: { pause: controls.pause, stop: controls.stop },
    controlsTaken: nonces.length,
    doing,
  });
  upsertMemo({ [MEMO_KEY]: memo });
  const details = [`**${memo.status}**`, `round ${memo.round} of ${memo.maxRounds}`, memo.why, memo.until];
  setCurrentDetails(details.filter((part) => part !== null).join(' · '));
}
