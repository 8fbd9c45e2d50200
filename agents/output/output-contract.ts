import type { Report } from '../../schemas/round/report.ts';
import type { Review } from '../../schemas/verification/review.ts';

/**
 * What an agent hands in at its end: one JSON object, described as flatly as agents' programs accept, which know no
 * alternatives. The contract itself is stricter, and held by the engine.
 */
export interface OutputContract {
  /** What it is called in prompts and messages. */
  readonly name: 'report' | 'review';
  /** For a program's schema option. */
  readonly jsonSchema: object;
  /** Its fields, by all of which it is told from other JSON in a message. */
  readonly fields: readonly string[];
}

const text = { type: 'string' };
const texts = { type: 'array', items: text };

/** What every agent of a round hands in. */
export const reportContract = contractOf('report', {
  status: { type: 'string', enum: ['continue', 'complete', 'blocked'] satisfies Report['status'][] },
  summary: text,
  evidence: texts,
  nextSteps: texts,
  blocker: text,
} satisfies Record<keyof Report, object>);

/** What a reviewer hands in. */
export const reviewContract = contractOf('review', {
  decision: { type: 'string', enum: ['accept', 'reject'] satisfies Review['decision'][] },
  reasons: texts,
} satisfies Record<keyof Review, object>);

function contractOf(name: OutputContract['name'], properties: Record<string, object>): OutputContract {
  const fields = Object.keys(properties);
  return { name, fields, jsonSchema: { type: 'object', additionalProperties: false, required: fields, properties } };
}

/** How an agent without a schema option hands in what it is asked for; `findReport` reads it. */
export const fencedOutput = ({ name }: OutputContract): string =>
  `Close your final message with the ${name} as one JSON object in a code fence (\`\`\`json), and write nothing after it.`;
