import { MAX_RESULT_CHARS } from '../../schemas/run/run.ts';
import { failed } from '../faults/faults.ts';
import type { AgentReading } from '../provider.ts';
import { TextTail } from './bounded-text.ts';
import type { OutputContract } from './output-contract.ts';
import { submittedReport } from './submitted-report.ts';

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
  return { report: submittedReport(found.value, found.json, name), finalText: bounded(found.before) };
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

/** A report of the largest cap, every character escaped as \uXXXX, is shorter than this. */
const MAX_TAIL_CHARS = 131_072;
const MAX_STARTS = 64;

/**
 * The report, or review, that an agent's final message ends in: the message itself, the code fence that closes it, or the object
 * that closes it. Anything followed by further words is an example, not the report.
 * @param fields of what is looked for, by all of which it is told from other JSON
 */
export function findReport(message: string, fields: readonly string[]): FoundReport | null {
  const text = message.trim();
  const whole = jsonObject(text);
  if (whole !== null) return { value: whole, json: text, before: '' };
  return fenceAtEnd(text, fields) ?? objectAtEnd(text, fields);
}

/** `value`: not yet held to the contract. `json`: its text. `before`: the words of the message before it. */
export interface FoundReport {
  readonly value: object;
  readonly json: string;
  readonly before: string;
}

function fenceAtEnd(text: string, fields: readonly string[]): FoundReport | null {
  if (!text.endsWith('```')) return null;
  const open = text.lastIndexOf('\n```', text.length - 5);
  const start = open === -1 && text.startsWith('```') ? 0 : open + 1;
  const body = text.slice(start).match(/^```[a-z0-9]*[ \t]*\r?\n([^]*?)\r?\n?```$/i)?.[1];
  if (body === undefined) return null;
  const value = reportLike(jsonObject(body), fields);
  return value === null ? null : { value, json: body, before: text.slice(0, start) };
}

function objectAtEnd(text: string, fields: readonly string[]): FoundReport | null {
  if (!text.endsWith('}')) return null;
  const tail = text.slice(-MAX_TAIL_CHARS);
  const starts = Array.from(tail.matchAll(startOf(fields)), (match) => match.index).slice(-MAX_STARTS);
  for (const start of starts) {
    const json = tail.slice(start);
    const value = reportLike(jsonObject(json), fields);
    if (value !== null) return { value, json, before: text.slice(0, text.length - tail.length + start) };
  }
  return null;
}

const startOf = (fields: readonly string[]): RegExp => new RegExp(`\\{\\s*"(?:${fields.join('|')})"\\s*:`, 'g');

function jsonObject(text: string): object | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function reportLike(value: object | null, fields: readonly string[]): object | null {
  return value !== null && fields.every((field) => Object.hasOwn(value, field)) ? value : null;
}
