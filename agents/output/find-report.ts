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
