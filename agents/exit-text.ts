import { oneLine } from './one-line.ts';
import type { AgentEnd } from './provider.ts';

const MAX_STDERR_CHARS = 400;

/** How a program ended, with the last thing it printed on stderr, for a person to read. */
export function exitText(what: string, { exit, stderrTail }: AgentEnd): string {
  const how = exit.signal === null ? `ended with exit code ${exit.code ?? 'unknown'}` : `was ended by ${exit.signal}`;
  const said = oneLine(stderrTail.slice(-MAX_STDERR_CHARS), MAX_STDERR_CHARS);
  return said === '' ? `${what} ${how}` : `${what} ${how}: ${said}`;
}
