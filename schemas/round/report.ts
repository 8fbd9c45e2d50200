import { z } from 'zod';

/** Most UTF-16 code units a serialized report may hold, and the highest cap a run may ask for. */
export const MAX_HANDOFF_CHARS = 16_384;

/** Text that was normalized where the agent's output was decoded: no outer white space. */
const Trimmed = z.string().refine((text) => text === text.trim(), 'must have no outer white space');
const Line = Trimmed.refine((text) => text !== '', 'must not be empty');
const NoBlocker = z.literal('', 'must be empty unless the status is "blocked"');

const continueReport = z.strictObject({
  status: z.literal('continue'),
  summary: Line,
  evidence: z.array(Line),
  nextSteps: z.array(Line).min(1, 'must hold one: a "continue" report names a next step'),
  blocker: NoBlocker,
});

const completeReport = z.strictObject({
  status: z.literal('complete'),
  summary: Line,
  evidence: z.array(Line).min(1, 'must hold some: a "complete" report names its evidence'),
  nextSteps: z.array(Line).max(0, 'must be empty: a "complete" report has no next steps'),
  blocker: NoBlocker,
});

/**
 * What a fresh agent says at the end of its round: five fields, all required, no others.
 * The three states exclude each other. Size is checked apart (`checkReport`): it depends on the run's cap.
 */
export const Report = z.discriminatedUnion('status', [
  continueReport,
  completeReport,
  z.strictObject({
    status: z.literal('blocked'),
    summary: Line,
    evidence: z.array(Line),
    nextSteps: z.array(Line),
    blocker: Line,
  }),
]);
export type Report = z.infer<typeof Report>;

/** What holds for all three states: says all that is wrong with a report that is in none of them. */
export const AnyReport = z.strictObject({
  status: z.enum(['continue', 'complete', 'blocked'], 'must be "continue", "complete" or "blocked"'),
  summary: Line,
  evidence: z.array(Line),
  nextSteps: z.array(Line),
  blocker: Trimmed,
});

/** The one thing that crosses from a round to the next: a `continue` report. */
export const Handoff = continueReport;
export type Handoff = z.infer<typeof Handoff>;

/** A completion claim: a `complete` report before anything has checked it. */
export const CompletionClaim = completeReport;
export type CompletionClaim = z.infer<typeof CompletionClaim>;

/** UTF-16 code units of the report as it is serialized and sent. */
export const reportChars = (report: Report): number => JSON.stringify(report).length;
