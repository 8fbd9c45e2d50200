import type { Report } from '../schemas/report.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };

/**
 * The report as the flat JSON schema that agents' programs accept: they know no alternatives. The contract itself is
 * stricter, and held by the engine.
 */
export const reportJsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'summary', 'evidence', 'nextSteps', 'blocker'],
  properties: {
    status: { type: 'string', enum: ['continue', 'complete', 'blocked'] satisfies Report['status'][] },
    summary: text,
    evidence: texts,
    nextSteps: texts,
    blocker: text,
  } satisfies Record<keyof Report, object>,
};
