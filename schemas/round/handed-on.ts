import { z } from 'zod';
import { Handoff } from './report.ts';

/**
 * How a handoff came about, so that whoever receives it is told truthfully. `report`: all of it is the worker's before.
 * `refused-claim`: that worker claimed completion, and the engine's check refused it; the next steps say why.
 * `unrefused-claim`: no check refused its claim, and the run did not end by it; the first next step says how far that
 * came. `blocker`: it was blocked; the first next step is to confirm that this is over.
 */
export const HandoffSource = z.enum(['report', 'refused-claim', 'unrefused-claim', 'blocker']);
export type HandoffSource = z.infer<typeof HandoffSource>;

/** What the next round receives beside the objective. */
export const handedOn = {
  /** Null: no round has reported yet. */
  handoff: Handoff.nullable(),
  handoffSource: HandoffSource.default('report'),
  /** What the user said when they had the run resumed, until a round has answered it with a report; the latest last. */
  userNotes: z.array(z.string()).default([]),
};

export const HandedOn = z.strictObject(handedOn);
export type HandedOn = z.infer<typeof HandedOn>;
export const nothingHandedOn: HandedOn = { handoff: null, handoffSource: 'report', userNotes: [] };

/** Of something that holds it, what is handed on. */
export const handedOnOf = ({ handoff, handoffSource, userNotes }: HandedOn): HandedOn => ({
  handoff,
  handoffSource,
  userNotes,
});
