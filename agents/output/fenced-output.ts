import type { OutputContract } from './output-contract.ts';

/** How an agent without a schema option hands in what it is asked for; `findReport` reads it. */
export const fencedOutput = ({ name }: OutputContract): string =>
  `Close your final message with the ${name} as one JSON object in a code fence (\`\`\`json), and write nothing after it.`;
