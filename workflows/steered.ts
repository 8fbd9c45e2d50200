import { ActivityFailure, CancellationScope, isCancellation, setHandler } from '@temporalio/workflow';
import type { Budgets } from '../schemas/budget/budget.ts';
import type { Ceilings } from '../schemas/loop/loop.ts';
import type { RunRequest } from '../schemas/run/run.ts';
import { Steer, type Steering } from '../schemas/loop/steering.ts';
import { steerSignal } from './messages.ts';

/** What a person told the run, as far as it is still to be obeyed. Signals change it at any time. */
export interface Steered {
  pause: boolean;
  stop: boolean;
  /** How often a wait was to be ended. */
  retries: number;
  ceilings: Ceilings;
  /** Ends what is under way, for a pause that cannot wait; null: nothing that could be ended is. */
  interrupt: (() => void) | null;
  /** Called when a person has told something. */
  onChange: () => void;
}

/** Listen to what a person tells the run. Whoever reaches the server can send anything: what is not ours is passed over. */
export function listen(
  request: RunRequest,
  carried: { steering: Steering; ceilings: Ceilings | null } | null,
): Steered {
  const asked: Ceilings = { maxRounds: request.limits.maxRounds, budgets: request.budgets };
  const steered: Steered = {
    pause: carried?.steering.pause === true,
    stop: carried?.steering.stop === true,
    retries: 0,
    ceilings: carried === null || carried.ceilings === null ? asked : carried.ceilings,
    interrupt: null,
    onChange: () => {},
  };
  setHandler(steerSignal, (given: unknown) => {
    const steer = Steer.safeParse(given);
    if (!steer.success) return;
    obey(steered, steer.data);
    steered.onChange();
  });
  return steered;
}

function obey(steered: Steered, steer: Steer): void {
  switch (steer.kind) {
    case 'pause':
      steered.pause = true;
      if (steer.now && steered.interrupt !== null) steered.interrupt();
      return;
    case 'resume':
      steered.pause = false;
      return;
    case 'stop':
      steered.stop = true;
      return;
    case 'retry':
      steered.retries += 1;
      return;
    case 'raise':
      steered.ceilings = raised(steered.ceilings, steer);
      return;
    default:
      steer satisfies never;
  }
}

/** Totals only rise: an old signal that is sent again lowers nothing. */
function raised(now: Ceilings, { maxRounds, budgets }: Extract<Steer, { kind: 'raise' }>): Ceilings {
  const names = ['maxTimeMs', 'maxTokens', 'maxCostUsd', 'maxWaitMs'] as const satisfies (keyof Budgets)[];
  const next = { ...now.budgets };
  for (const name of names) next[name] = higher(next[name], budgets[name]);
  return { maxRounds: Math.max(now.maxRounds, maxRounds === null ? 0 : maxRounds), budgets: next };
}

function higher(limit: number | null, asked: number | null): number | null {
  return limit === null || asked === null ? limit : Math.max(limit, asked);
}

/** Do something that `pause --now` ends early. @returns null where it did */
export async function unlessPaused<T>(steered: Steered, work: () => Promise<T>): Promise<T | null> {
  const outer = CancellationScope.current();
  const scope = new CancellationScope();
  steered.interrupt = () => scope.cancel();
  try {
    return await scope.run(work);
  } catch (error) {
    // A step whose worker is lost under a pause ends as lost: the person's word counts all the same.
    const ended = isCancellation(error) || error instanceof ActivityFailure;
    if (ended && scope.consideredCancelled && !outer.consideredCancelled) return null;
    throw error;
  } finally {
    steered.interrupt = null;
  }
}
