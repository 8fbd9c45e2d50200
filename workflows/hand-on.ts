import type { HandoffSource } from '../schemas/round/handed-on.ts';
import type { LoopState } from '../schemas/loop/loop.ts';
import type { Handoff } from '../schemas/round/report.ts';

/** The state with what the next round is to receive, in the place of all that was handed on before. */
export const handOn = (state: LoopState, handoff: Handoff, handoffSource: HandoffSource): LoopState => ({
  ...state,
  handoff,
  handoffSource,
  userNotes: [],
});
