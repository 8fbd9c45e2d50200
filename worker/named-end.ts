/** A line of the SDK's, before it is written. */
export interface LogEntry {
  readonly level: 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  readonly message: string;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

const MAX_CHARS = 300;

/**
 * The SDK logs the end of a run, and an activity that says why it cannot go on, as failures with a stack. One that has a
 * name is no defect: it becomes a short line. All else stays as it is, with its stack.
 */
export function namedEnd(entry: LogEntry): LogEntry {
  const { message, meta } = entry;
  if (meta === undefined) return entry;
  const { error, ...rest } = meta;
  if (!isError(error) || !isApplicationFailure(error)) return entry;
  const why = short(error.message);
  if (message === 'Workflow failed') {
    const run = String(rest['workflowId']);
    return { level: 'INFO', message: `run ${run} ended: ${why} (ralph why ${run})`, meta: rest };
  }
  // What `asFailure` calls internal is a defect.
  const code = 'type' in error ? error.type : 'internal';
  if (message !== 'Activity failed' || code === 'internal') return entry;
  return { level: 'WARN', message: `step ended: ${String(code)}: ${why}`, meta: rest };
}

const isError = (value: unknown): value is Pick<Error, 'name' | 'message' | 'stack'> =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/** From the workflows' thread it comes as a copy, of which the stack alone tells. */
const isApplicationFailure = ({ name, stack }: Pick<Error, 'name' | 'stack'>): boolean =>
  name === 'ApplicationFailure' || (typeof stack === 'string' && stack.startsWith('ApplicationFailure: '));

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1)}…`;
}
