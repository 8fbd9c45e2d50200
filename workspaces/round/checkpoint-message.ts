/** How the round or attempt ended that a checkpoint commits. */
export type CheckpointStatus = 'continue' | 'complete' | 'blocked' | 'interrupted' | 'failed' | 'cancelled';

const MAX_SUBJECT = 72;
const MAX_BODY = 16_384;

/**
 * A checkpoint's commit message. What an agent wrote is indented, so that it can be neither a trailer nor the divider
 * that hides one, and loses its control characters.
 */
export function checkpointMessage(facts: {
  runId: string;
  round: number;
  attempt: number;
  status: CheckpointStatus;
  summary: string;
}): string {
  const { runId, round, attempt, status } = facts;
  const summary = plainText(facts.summary);
  const start = `Round ${round} of ${runId}`;
  const first = summary.split('\n', 1)[0] ?? '';
  const subject = first === '' ? start : cut(`${start}: ${first}`, MAX_SUBJECT);
  // What the subject says whole is not said again.
  const rest = subject === `${start}: ${summary}` ? '' : summary;
  const body = cut(rest, MAX_BODY)
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
  const trailers = [
    `Ralph-Run: ${runId}`,
    `Ralph-Round: ${round}`,
    `Ralph-Attempt: ${attempt}`,
    `Ralph-Status: ${status}`,
  ];
  return [subject, ...(body === '' ? [] : [body]), `${trailers.join('\n')}\n`].join('\n\n');
}

/** Line feeds are the only control characters left, and no line ends in white space. */
function plainText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, (character) => (character === '\n' ? '\n' : ' '))
    .replaceAll(/[^\S\n]+$/gm, '')
    .trim();
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/\p{Cs}$/u, '')}…`;
}
