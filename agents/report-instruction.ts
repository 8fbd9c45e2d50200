/** How an agent without a schema option hands in its report; `findReport` reads it. */
export const FENCED_REPORT =
  'Close your final message with the report as one JSON object in a code fence (```json), and write nothing after it.';
