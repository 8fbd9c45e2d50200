import type { Ceilings } from '../../schemas/budget/budget.ts';
import type { Preparation } from '../../schemas/loop/preparation.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import type { RoundResult } from '../../schemas/round/round.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import type { GatesResult, ReviewResult } from '../../schemas/verification/lost-checks.ts';

/** When something happened, in milliseconds since the epoch, and a number from 0 to 1 that spreads many runs. */
export interface Moment {
  readonly now: number;
  readonly random: number;
}

/** What happened. `asked`: the limits that an agent was started with. `afterPause`: whether a pause ended the try before. */
export type LoopEvent = Moment &
  (
    | { readonly kind: 'begun' }
    | { readonly kind: 'prepared'; readonly result: Preparation }
    | { readonly kind: 'attempted'; readonly result: RoundResult; readonly asked: Ceilings }
    | { readonly kind: 'gates-ran'; readonly result: GatesResult; readonly afterPause: boolean }
    | {
        readonly kind: 'reviewed';
        readonly result: ReviewResult;
        readonly asked: Ceilings;
        readonly afterPause: boolean;
      }
    | { readonly kind: 'waited'; readonly ms: number }
    /** A pause ended the step. */
    | { readonly kind: 'interrupted' }
  );

/** A durable wait before a step is done again. `round`: 0 before the workspace is prepared. */
export interface Wait {
  readonly round: number;
  readonly delayMs: number;
  /** In one line. */
  readonly why: string;
}

/** What something that happened leads to. `forward`: the loop got on; `again`: the same step once more. */
export type After = { readonly state: LoopState } & (
  | { readonly kind: 'forward' }
  | { readonly kind: 'again' }
  | { readonly kind: 'wait'; readonly wait: Wait }
  | { readonly kind: 'end'; readonly ending: UnreleasedEnding }
);

/** What to do next. `again`: this step was tried before. */
export type Next =
  | { readonly kind: 'prepare' }
  | { readonly kind: 'attempt' }
  | { readonly kind: 'gates'; readonly again: boolean }
  | { readonly kind: 'review'; readonly again: boolean }
  | { readonly kind: 'wait'; readonly wait: Wait }
  | { readonly kind: 'end'; readonly ending: UnreleasedEnding };
