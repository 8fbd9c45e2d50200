import { durationText } from '../../schemas/text/duration.ts';
import { readDuration, readMoment } from './stated-time.ts';
import type { Here } from './stated-zone.ts';
import { DAY, tokensOf, Tokens, UNITS } from './time-words.ts';

/** Unix seconds stay below this until the year 5138; milliseconds have been above it since 1973. */
const SECONDS_LIMIT = 100_000_000_000;

/** A point in time as Unix seconds or milliseconds; null where it is none. */
export function fromEpoch(value: number): Date | null {
  return date(value < SECONDS_LIMIT ? value * 1_000 : value);
}

/** What a `retry-after` header says: seconds from now, or an HTTP date. */
export function fromRetryAfter(header: string, now: Date): Date | null {
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return date(now.getTime() + Number(text) * 1_000);
  return /^[A-Z][a-z]{2}, \d/.test(text) ? date(Date.parse(text)) : null;
}

/** When a limit ends, as a sentence states it. `implausible`: it states a time, which cannot be true of that limit. */
export type ResetTime =
  | { readonly kind: 'stated'; readonly at: Date }
  | { readonly kind: 'none' }
  | { readonly kind: 'implausible'; readonly why: string };

/**
 * Read when a limit ends from a sentence of an agent's program, or of the server behind it; never from words of a model
 * or a repository. It knows a grammar of durations, dates, clock times and zones (see the table in its test) and takes
 * whole tokens: what does not fit it as a whole is no time. Of several the first that can be true counts.
 * @param zone of a time that names none: that of this machine, where the program runs
 */
export function readResetTime(sentence: string, now: Date, zone: string): ResetTime {
  const text = sentence.slice(0, MAX_CHARS);
  const limit = namedLimit(text);
  const longestMs = limit === null ? LONGEST_MS : limit.ms + Math.max(MIN_MARGIN_MS, limit.ms * MARGIN_SHARE);
  let implausible: ResetTime | null = null;
  for (const at of statedTimes(text, { now, zone })) {
    const waitMs = at.getTime() - now.getTime();
    if (waitMs <= longestMs) return { kind: 'stated', at };
    const most =
      limit === null ? 'longer than any known limit lasts' : `too long for the limit that it names (${limit.name})`;
    implausible ??= { kind: 'implausible', why: `the stated end is ${durationText(waitMs)} away, ${most}` };
  }
  return implausible ?? { kind: 'none' };
}

/** Programs put whole answers of servers into their sentences. */
const MAX_CHARS = 8_192;
/** A limit by the month, said on its first day, and some. */
const LONGEST_MS = 40 * DAY;
/** Clocks differ, a stated minute is its end, and a day may have 25 hours. */
const MIN_MARGIN_MS = 600_000;
const MARGIN_SHARE = 0.05;

/** What stands before a time. What may stand between the two is `FILLER`. */
const ANCHOR = new RegExp(
  [
    '(?:reset|refresh|renew|replenish)(?:s|es|ed|ting|ing)?',
    '(?:try(?:ing)?|come|check) (?:again|back)',
    'retry(?:ing)?',
    '(?:regain|restore[sd]?) access',
    'available(?: again)?',
    'wait|until|cooldown',
  ]
    .map((words) => `(?<![A-Za-z])(?:${words})(?:(?![A-Za-z])|(?<=retry)(?=delay|after))`)
    .join('|') + '|将在|将于|请在',
  'gi',
);
const FILLER =
  /(?:[\s"'\\=:(~≈]|[-_](?:requests|tokens)|[-_](?=[a-z])|(?:at|on|in|after|again|for|about|around|approximately|another|until|time|date|is|automatically|delay)(?![A-Za-z]))*/iy;

/** What a field's name says of a bare number in it: "resets_in_seconds", "retry-after-ms". */
const FIELD_UNIT = /[-_](?:in[-_])?(ms|milliseconds|s|sec|seconds|minutes)["'\\]*\s*[:=][\s"'\\]*/iy;

/** The times that a text states, in its order. */
function* statedTimes(text: string, here: Here): Generator<Date> {
  for (const bar of text.matchAll(/\|(\d{10}|\d{13})(?!\w)/g)) yield* present(fromEpoch(Number(bar[1])));
  for (const anchor of text.matchAll(ANCHOR)) {
    const from = anchor.index + anchor[0].length;
    const filler = matchAt(FILLER, text, from) ?? '';
    const field = fieldUnit(text, from, filler);
    const rest = text.slice(field?.end ?? from + filler.length, from + filler.length + MAX_TIME_CHARS);
    yield* present(field === null ? readTime(rest, filler, here) : readField(rest, field.unitMs, here.now));
  }
}

const MAX_TIME_CHARS = 160;

function fieldUnit(text: string, from: number, filler: string): { unitMs: number; end: number } | null {
  // The filler takes "_in_" and "-after-": the unit stands behind it, or its last word is one.
  for (let at = from; at <= from + filler.length; at += 1) {
    const found = matchAt(FIELD_UNIT, text, at);
    if (found !== null) {
      const name = /(ms|milliseconds|s|sec|seconds|minutes)["'\\]*\s*[:=]/i.exec(found)?.[1]?.toLowerCase() ?? '';
      return { unitMs: UNITS[name] ?? 0, end: at + found.length };
    }
  }
  return null;
}

function readField(rest: string, unitMs: number, now: Date): Date | null {
  const number = /^(\d{1,12}(?:\.\d+)?)(?![\w.:-])/.exec(rest)?.[1];
  return number === undefined ? null : date(now.getTime() + Number(number) * unitMs);
}

function readTime(rest: string, filler: string, here: Here): Date | null {
  const { now } = here;
  const epoch = /^(\d{10}|\d{13})(?![\w.:-])/.exec(rest)?.[1];
  if (epoch !== undefined) return fromEpoch(Number(epoch));
  // The header's own name, with its number of seconds.
  if (/after["'\\]*\s*[:=]/i.test(filler)) {
    const seconds = readField(rest, 1_000, now);
    if (seconds !== null) return seconds;
  }
  const tokens = (): Tokens => new Tokens(tokensOf(rest));
  const ms = readDuration(tokens());
  if (ms !== null) return date(now.getTime() + ms);
  // "in 05:30" is a length of time.
  return /\b(?:in|for)\W*$/i.test(filler) ? null : readMoment(tokens(), here);
}

const present = (at: Date | null): Date[] => (at === null ? [] : [at]);

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

const LIMIT = '(?:limit|window|quota|cap|allowance|allocation|budget)';
const KIND =
  '(?:usage|rate|session|token|request|message|credit|quota|rolling|free|api|model|prompt|input|output|compute|time)s?';
const SPAN = '(minute|min|hour|hr|h|day|week|month)s?';
/** How sentences name the span of a limit. */
const NAMED: readonly RegExp[] = [
  new RegExp(String.raw`\b(\d{1,3})[\s-]?${SPAN}[\s-]+(?:${KIND}[\s-]+){0,3}${LIMIT}`, 'gi'),
  new RegExp(
    String.raw`\b${LIMIT}\w*\s+(?:reached|exceeded|exhausted|hit)\s+for\s+(?:the\s+)?(\d{1,3})?[\s-]?${SPAN}\b`,
    'gi',
  ),
  new RegExp(String.raw`\b()(hour|dai|week|month)ly\b(?:[\s/-]+[a-z]+){0,3}?[\s/-]+(?:${LIMIT}|usage)`, 'gi'),
  new RegExp(String.raw`\b()per[\s-]${SPAN}\b`, 'gi'),
  /(\d{1,3})\s*(?:个)?(小时|天)/g,
];
const SPANS: Readonly<Record<string, number>> = { ...UNITS, dai: DAY, 小时: UNITS['hour'] ?? 0, 天: DAY };

/** The longest limit that a text names; null: none. */
function namedLimit(text: string): { name: string; ms: number } | null {
  const named = NAMED.flatMap((pattern) => Array.from(text.matchAll(pattern))).flatMap(([name, count, span = '']) => {
    const ms = Number(count || 1) * (SPANS[span.toLowerCase()] ?? 0);
    return ms === 0 ? [] : [{ name: `"${name}"`, ms }];
  });
  return named.toSorted((a, b) => b.ms - a.ms)[0] ?? null;
}

function date(ms: number): Date | null {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? null : at;
}
