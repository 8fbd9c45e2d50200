import { oneLine } from '../output/bounded-text.ts';
import type { AgentEnd } from '../provider.ts';

const MAX_STDERR_CHARS = 400;

/** How a program ended, with the last thing it printed on stderr, for a person to read. */
export function exitText(what: string, { exit, stderrTail }: AgentEnd): string {
  const how = exit.signal === null ? `ended with exit code ${exit.code ?? 'unknown'}` : `was ended by ${exit.signal}`;
  const said = oneLine(tellingPart(stderrTail), MAX_STDERR_CHARS);
  return said === '' ? `${what} ${how}` : `${what} ${how}: ${said}`;
}

/** From the line that names the last error on; where none does the end of it, from the beginning of a line. */
function tellingPart(stderr: string): string {
  const lines = stderr.split('\n');
  const error = lines.findLastIndex((line) => /^\s*(\w*(Error|Exception)\b[^:]*: |error: )/.test(line));
  if (error !== -1) return lines.slice(error).join('\n').slice(0, MAX_STDERR_CHARS);
  const tail = stderr.slice(-MAX_STDERR_CHARS);
  const firstEnd = tail.length === stderr.length ? -1 : tail.indexOf('\n');
  return tail.slice(firstEnd === tail.length - 1 ? 0 : firstEnd + 1);
}
