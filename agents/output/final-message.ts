import { MAX_RESULT_CHARS } from '../../schemas/run/run.ts';
import { failed } from '../faults/faults.ts';
import { findReport } from './find-report.ts';
import { handedIn } from './handed-in.ts';
import type { OutputContract } from './output-contract.ts';
import type { AgentReading } from '../provider.ts';
import { TextTail } from './text-tail.ts';

type FinalMessage = Pick<AgentReading, 'report' | 'finalText'>;

/** Read an agent's final message: the report or review that it ends in, and the words before it. */
export function readFinalMessage(message: string | null, { name, fields }: OutputContract): FinalMessage {
  if (message === null)
    return { report: failed('report-missing', 'the agent ended without a word', null), finalText: null };
  const found = findReport(message, fields);
  if (found === null) {
    const why = `the agent ended with a message that does not end in a ${name}`;
    return { report: failed('report-missing', why, null), finalText: bounded(message) };
  }
  return { report: handedIn(found.value, found.json, name), finalText: bounded(found.before) };
}

/** The same, where it ends in a report or review that can be read; else null. */
export function submittedIn(message: string | null, contract: OutputContract): FinalMessage | null {
  const read = readFinalMessage(message, contract);
  return read.report.kind === 'candidate' ? read : null;
}

/** The end of a text, as much as a run's final text may hold; null where it says nothing. */
export function bounded(text: string): string | null {
  const tail = new TextTail(MAX_RESULT_CHARS);
  tail.add(text);
  return tail.text();
}
