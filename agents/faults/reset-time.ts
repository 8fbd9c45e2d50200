import { fromWallClock, wallClock } from './zone-clock.ts';

const DAY_MS = 86_400_000;
/** A stated clock time that is past by less than this has just been; the minute itself, and a clock that differs. */
const JUST_OVER_MS = 600_000;
const MINUTE_MS = 60_000;
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

/**
 * When a limit ends, from the sentence in which an agent's program says so. Only for text of the program itself.
 * Known: "resets 8:20pm (Europe/Berlin)", "resets Nov 30, 8pm (UTC)", "try again at 12:53 AM", "try again at
 * Nov 30th, 2026 12:53 AM", "try again in 11.054s", "retry after 34s", "…|1796000000", an ISO 8601 time.
 * A clock time without a zone is in `zone`; without a day it is the next such time, or the one that is just over.
 * Programs state the minute alone, and what resets at 8:20:40 resets "8:20pm": a clock time is the end of its minute.
 */
export function fromSentence(text: string, now: Date, zone: string): Date | null {
  return (
    inSentence(text, now) ??
    epochInSentence(text) ??
    isoInSentence(text) ??
    endOfMinute(clockInSentence(text, now, zone))
  );
}

const endOfMinute = (at: Date | null): Date | null => (at === null ? null : date(at.getTime() + MINUTE_MS));

function inSentence(text: string, now: Date): Date | null {
  const parts = /\b(?:in|after) ((?:\d+(?:\.\d+)?\s?[a-z]+[\s,]*)+)/i.exec(text)?.[1];
  if (parts === undefined) return null;
  let ms = 0;
  for (const [, count, unit] of parts.matchAll(/(\d+(?:\.\d+)?)\s?([a-z]+)/gi)) {
    const unitMs = UNITS[unit?.toLowerCase() ?? ''];
    if (unitMs === undefined) break;
    ms += Number(count) * unitMs;
  }
  return ms === 0 ? null : date(now.getTime() + ms);
}

const UNITS: Readonly<Record<string, number>> = unitsOf({
  1: ['ms', 'millisecond', 'milliseconds'],
  1_000: ['s', 'sec', 'secs', 'second', 'seconds'],
  60_000: ['m', 'min', 'mins', 'minute', 'minutes'],
  3_600_000: ['h', 'hr', 'hrs', 'hour', 'hours'],
  86_400_000: ['d', 'day', 'days'],
});

function unitsOf(names: Readonly<Record<number, readonly string[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(names).flatMap(([ms, all]) => all.map((name) => [name, Number(ms)])));
}

function epochInSentence(text: string): Date | null {
  const seconds = /\|(\d{10})\b/.exec(text)?.[1];
  return seconds === undefined ? null : fromEpoch(Number(seconds));
}

function isoInSentence(text: string): Date | null {
  const iso = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})/.exec(text)?.[0];
  return iso === undefined ? null : date(Date.parse(iso));
}

const CLOCK =
  /\b(?:resets?|try again)(?: at| on)? (?:(?<month>[A-Z][a-z]{2})[a-z]* (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?:at )?(?:(?<year>\d{4}),? (?:at )?)?)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?: ?(?<half>[ap]m))?(?: \((?<zone>[\w/+-]+)\))?/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function clockInSentence(text: string, now: Date, defaultZone: string): Date | null {
  const found = CLOCK.exec(text)?.groups;
  if (found === undefined) return null;
  const zone = found['zone'] ?? defaultZone;
  const today = wallClock(now, zone);
  if (today === null) return null;

  const stated = MONTHS.indexOf(found['month']?.toLowerCase() ?? '');
  const hour =
    (Number(found['hour']) % (found['half'] === undefined ? 24 : 12)) + (/p/i.test(found['half'] ?? '') ? 12 : 0);
  const wall = Date.UTC(
    Number(found['year'] ?? today.getUTCFullYear()),
    stated === -1 ? today.getUTCMonth() : stated,
    Number(found['day'] ?? today.getUTCDate()),
    hour,
    Number(found['minute'] ?? 0),
  );
  const at = fromWallClock(wall, zone);
  if (at === null || at.getTime() > now.getTime() - JUST_OVER_MS) return at;
  if (found['day'] === undefined) return fromWallClock(wall + DAY_MS, zone);
  return found['year'] === undefined ? fromWallClock(nextYear(wall), zone) : at;
}

const nextYear = (wall: number): number => new Date(wall).setUTCFullYear(new Date(wall).getUTCFullYear() + 1);

function date(ms: number): Date | null {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? null : at;
}
