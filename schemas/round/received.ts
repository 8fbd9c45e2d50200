import { z } from 'zod';
import { Handoff } from './report.ts';

/**
 * How a handoff came about, so that the agent that receives it is told the truth. `report`: the agent before said all of
 * it. `rejected-claim`: that agent claimed completion, and the engine's check rejected it; the next steps say why.
 * `unverified-claim`: no check accepted or rejected the claim; the first next step says how far that came. `blocker`: the
 * agent was blocked; the first next step is to confirm that this is over.
 */
export const HandoffSource = z.enum(['report', 'rejected-claim', 'unverified-claim', 'blocker']);
export type HandoffSource = z.infer<typeof HandoffSource>;

/** What the next round receives beside the objective. */
export const handedOn = {
  /** Null: no round has reported yet. */
  handoff: Handoff.nullable(),
  handoffSource: HandoffSource,
  /** What the user said at a resume, until a round has answered it with a report; the latest last. */
  userNotes: z.array(z.string()),
};

export const Received = z.strictObject(handedOn);
export type Received = z.infer<typeof Received>;
export const nothingReceived: Received = { handoff: null, handoffSource: 'report', userNotes: [] };
