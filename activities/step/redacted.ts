import type { z } from 'zod';
import type { AgentRun } from '../../agents/run/run-agent.ts';
import { holdsMark } from '../../redaction/found.ts';
import type { Redactor } from '../../redaction/redactor.ts';

/** A record with secrets taken out of every string in it; still of its schema, or it throws. */
export function redacted<T>({ redactor, schema, record }: { redactor: Redactor; schema: z.ZodType<T>; record: T }): T {
  return schema.parse(redactor.json(record));
}

/** What an agent's run came to, with secrets taken out of all that it said, before anything is made of it. */
export function redactedRun(ran: AgentRun, redactor: Redactor): AgentRun {
  const { report, finalText } = ran.reading;
  const common = { ...ran.reading, finalText: finalText === null ? null : redactor.text(finalText) };
  if (report.kind === 'fault') {
    const fault = { ...report.fault, message: redactor.text(report.fault.message) };
    return { ...ran, reading: { ...common, report: { kind: 'fault', fault } } };
  }
  // What an agent prints was redacted as it came; a report from a file is now.
  const value = redactor.json(report.value);
  const said = holdsMark(JSON.stringify(value)) ? ['The report held a secret, which was redacted.'] : [];
  return { ...ran, reading: { ...common, report: { kind: 'candidate', value } }, notes: [...ran.notes, ...said] };
}
