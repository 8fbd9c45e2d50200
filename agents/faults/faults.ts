import type { FaultCode } from '../../schemas/round/fault.ts';
import { oneLine } from '../output/bounded-text.ts';
import type { AgentEnd, AgentReading } from '../provider.ts';
import { readResetTime } from './reset-time.ts';
import { faultOfSentence, serverSentence } from './server-sentences.ts';
import { localZone } from './zone-clock.ts';

const MAX_FAULT_CHARS = 600;

/** The report of an attempt that gave none: a fault, told in one paragraph. `resetAt`: when a stated limit ends. */
export function failed(code: FaultCode, message: string, resetAt: Date | null): AgentReading['report'] {
  return {
    kind: 'fault',
    fault: { code, message: oneLine(message, MAX_FAULT_CHARS), resetAt: resetAt?.toISOString() ?? null },
  };
}

/**
 * The fault of a limit, until the time at which `said` states that it ends. `said` is a sentence of the program or of the
 * server behind it. A time that cannot be true is named and not used: the loop then backs off.
 */
export function limited(
  code: FaultCode,
  message: string,
  { said, now }: { said: string; now: Date },
): AgentReading['report'] {
  const reset = readResetTime(said, now, localZone());
  switch (reset.kind) {
    case 'stated':
      return failed(code, message, reset.at);
    case 'none':
      return failed(code, message, null);
    case 'implausible':
      return failed(code, `${oneLine(message, MAX_FAULT_CHARS / 2)} (not waited for: ${reset.why})`, null);
    default:
      return reset satisfies never;
  }
}

/** An error that a model's server answered with. */
export interface ServerError {
  /** HTTP; null: the program keeps it to itself. */
  readonly status: number | null;
  /** The server's own words. */
  readonly said: string;
  /** What a person reads. */
  readonly message: string;
  /** The fault, where the program's own codes tell it; null: status and words decide. */
  readonly known: FaultCode | null;
}

/**
 * The fault of an error that a model's server answered with: as its sentence states it, else by its HTTP status. A request
 * that is rejected until a stated time met a limit, whatever its status.
 */
export function answered({ status, said, message, known }: ServerError, now: Date): AgentReading['report'] {
  const code = known ?? faultOfAnswer(status, serverSentence(said));
  if (code === 'rate-limited' || code === 'usage-limited') return limited(code, message, { said, now });
  if (code === 'agent-crashed' && isDatedLimit(status, said, now))
    return limited('usage-limited', message, { said, now });
  return ofStatus(failed(code, message, null), status);
}

/** The same fault with the status that the server answered with. */
function ofStatus(report: AgentReading['report'], status: number | null): AgentReading['report'] {
  if (report.kind !== 'fault' || status === null) return report;
  return { kind: 'fault', fault: { ...report.fault, status } };
}

function faultOfAnswer(status: number | null, sentence: string): FaultCode {
  const stated = faultOfSentence(sentence);
  if (status === null) return stated ?? 'agent-crashed';
  const passes = status === 408 || status === 429 || status >= 500;
  if (stated !== null && (!passes || stated === 'no-credit')) return stated;
  return faultOfStatus(status);
}

/** A rejected request (HTTP 4xx) whose text states when access will return is a limit, whatever its status. */
export function isDatedLimit(status: number | null, said: string, now: Date): boolean {
  if (status === null || status < 400 || status >= 500) return false;
  const reset = readResetTime(said, now, localZone());
  return reset.kind === 'stated' && (status === 429 || reset.at > now);
}

/** The fault that an HTTP status of a model's API stands for, where nothing more exact is known. */
function faultOfStatus(status: number): FaultCode {
  if (status === 401 || status === 403) return 'bad-credentials';
  if (status === 402) return 'no-credit';
  if (status === 404) return 'agent-unavailable';
  if (status === 408) return 'network';
  if (status === 413) return 'context-too-long';
  if (status === 429) return 'rate-limited';
  if (status >= 500) return 'model-overloaded';
  return 'agent-crashed';
}

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
