import { momentsOf, wallClock, type Zone } from './zone-clock.ts';
import { readZone, type Here } from './stated-zone.ts';
import { DAY, MONTHS, UNITS, WEEKDAYS, type Tokens } from './time-words.ts';

/** A stated clock time that is past by less than this has just been: the minute itself, and a clock that differs. */
const JUST_OVER_MS = 600_000;
const MINUTE_MS = 60_000;

/** A length of time in milliseconds: "5 hours", "1h2m3s", "2 days, 3 hours and 5 minutes". Null: none, or not a whole one. */
export function readDuration(tokens: Tokens): number | null {
  let ms = 0;
  for (let parts = 0; ; parts += 1) {
    const part = tokens.try(() => {
      if (parts > 0) void (tokens.take(',', 'and') || tokens.take(',') || tokens.take('and'));
      return readPart(tokens);
    });
    if (part === null) {
      const next = tokens.peek();
      // "5 hours 30 apples": half of it would be read.
      if (parts === 0 || tokens.goesOn() || (next !== null && /^\d/.test(next.text))) return null;
      return ms;
    }
    ms += part;
  }
}

function readPart(tokens: Tokens): number | null {
  if (tokens.take('a') || tokens.take('an')) return tokens.takeOf(UNITS);
  const number = tokens.peek();
  if (number === null || !/^\d{1,9}(\.\d+)?$/.test(number.text)) return null;
  tokens.take(number.text);
  const unit = tokens.takeOf(UNITS);
  return unit === null ? null : Number(number.text) * unit;
}

interface Day {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** Milliseconds since midnight, and how exactly that is stated. */
interface Clock {
  readonly ms: number;
  readonly exact: boolean;
}

type When =
  | ({ readonly on: 'date' } & Day)
  | { readonly on: 'weekday'; readonly weekday: number }
  | { readonly on: 'relative'; readonly days: number }
  | { readonly on: 'any' };

/**
 * A point in time as a clock and a calendar state it. Null: none, or not a whole one. Programs state the minute alone,
 * and what resets at 8:20:40 resets "8:20pm": a time without seconds is the end of its minute.
 */
export function readMoment(tokens: Tokens, here: Here): Date | null {
  const when = readWhen(tokens);
  if (when === null) return null;
  // "…-30T22:50", "Dec 5 at 3pm", "Dec 5, 3pm".
  const joined = tokens.try(() => {
    void (tokens.take('t') || tokens.take(',', 'at') || tokens.take(',') || tokens.take('at') || tokens.take('·'));
    return readClock(tokens);
  });
  if (joined === null && (when.on === 'any' || when.on === 'relative')) return null;
  if (tokens.peek()?.text === ':' || (joined === null && isHalfClock(tokens))) return null;
  const zone = readZone(tokens, here);
  if (zone === null || tokens.goesOn()) return null;
  const clock = joined ?? { ms: 0, exact: false };
  const at = momentOf(when, clock, { now: here.now, zone });
  return at === null || clock.exact ? at : new Date(at.getTime() + MINUTE_MS);
}

/** A figure behind a date that is no clock time: then the date is not all that is stated. */
function isHalfClock(tokens: Tokens): boolean {
  const [next, after] = [tokens.peek(), tokens.peek(1)];
  const figure = next !== null && (/^[,t]$/i.test(next.text) || /^at$/i.test(next.text)) ? after : next;
  return figure !== null && /^\d/.test(figure.text);
}

function readWhen(tokens: Tokens): When | null {
  if (tokens.take('today')) return { on: 'relative', days: 0 };
  if (tokens.take('tomorrow')) return { on: 'relative', days: 1 };
  const weekday = tokens.takeOf(WEEKDAYS);
  void (weekday !== null && (tokens.take(',') || tokens.take('.')));
  const date = tokens.try(() => readNumericDate(tokens)) ?? tokens.try(() => readNamedDate(tokens));
  if (date === null) return weekday === null ? { on: 'any' } : { on: 'weekday', weekday };
  const { year, month, day } = date;
  const shown = new Date(Date.UTC(year ?? 2000, month, day));
  if (shown.getUTCMonth() !== month || shown.getUTCDate() !== day) return null;
  // "Mon, 30 Nov 2026": a weekday that is not that date's makes it doubtful.
  if (weekday !== null && year !== null && shown.getUTCDay() !== weekday) return null;
  return { on: 'date', ...date };
}

/** 2026-11-30 and 2026/11/30. What begins with a day or a month means different dates in different countries. */
function readNumericDate(tokens: Tokens): Day | null {
  const year = tokens.takeNumber(4, 4);
  const sign = tokens.peek()?.text;
  if (year === null || (sign !== '-' && sign !== '/')) return null;
  tokens.take(sign);
  const month = tokens.takeNumber(1, 2);
  if (month === null || !tokens.take(sign)) return null;
  const day = tokens.takeNumber(1, 2);
  return day === null ? null : { year, month: month - 1, day };
}

/** "Nov 30", "November 30th, 2026", "30 Nov 2026". */
function readNamedDate(tokens: Tokens): Day | null {
  const before = tokens.takeNumber(1, 2);
  if (before !== null) tokens.takeOf(ORDINALS, true);
  const month = tokens.takeOf(MONTHS);
  if (month === null) return null;
  tokens.take('.');
  const day = before ?? tokens.takeNumber(1, 2);
  if (day === null) return null;
  if (before === null) tokens.takeOf(ORDINALS, true);
  const year = tokens.try(() => {
    tokens.take(',');
    return tokens.takeNumber(4, 4);
  });
  return { year, month, day };
}

const ORDINALS = { st: true, nd: true, rd: true, th: true };

function readClock(tokens: Tokens): Clock | null {
  if (tokens.take('midnight')) return { ms: 0, exact: false };
  if (tokens.take('noon')) return { ms: DAY / 2, exact: false };
  const hour = tokens.takeNumber(1, 2);
  if (hour === null) return null;
  const minute = tokens.take(':') ? tokens.takeNumber(2, 2) : undefined;
  const second = minute != null && tokens.take(':') ? readSeconds(tokens) : undefined;
  if (minute === null || second === null) return null;
  const half = readHalf(tokens);
  // "20" alone may be anything.
  if (half === null && minute === undefined) return null;
  if ((minute ?? 0) > 59 || (second ?? 0) >= 60) return null;
  if (half === null ? hour > 23 : hour < 1 || hour > 12) return null;
  const hours = half === null ? hour : (hour % 12) + half;
  return {
    ms: (hours * 60 + (minute ?? 0)) * MINUTE_MS + Math.floor((second ?? 0) * 1_000),
    exact: second !== undefined,
  };
}

function readSeconds(tokens: Tokens): number | null {
  const next = tokens.peek();
  if (next === null || !/^\d{2}(\.\d+)?$/.test(next.text)) return null;
  tokens.take(next.text);
  return Number(next.text);
}

/** Hours that "am" and "pm", also "a.m." and "p. m.", add. */
function readHalf(tokens: Tokens): number | null {
  const whole = tokens.takeOf({ am: 0, pm: 12 });
  if (whole !== null) return whole;
  return tokens.try(() => {
    const half = tokens.takeOf({ a: 0, p: 12 });
    if (half === null || !tokens.take('.', 'm')) return null;
    tokens.take('.');
    return half;
  });
}

/** The next moment that is meant, or the one that is just over; the last one where a date is past. */
function momentOf(when: When, clock: Clock, { now, zone }: { now: Date; zone: Zone }): Date | null {
  const today = wallClock(now, zone);
  if (today === null) return null;
  const walls = daysMeant(when, today).map((day) => day + clock.ms);
  const moments = walls.flatMap((wall) => momentsOf(wall, zone)).toSorted((a, b) => a.getTime() - b.getTime());
  return moments.find((at) => at.getTime() > now.getTime() - JUST_OVER_MS) ?? moments.at(-1) ?? null;
}

/** Midnights of the days that a statement may mean. @param today the wall's clock */
function daysMeant(when: When, today: Date): number[] {
  const year = today.getUTCFullYear();
  const midnight = Date.UTC(year, today.getUTCMonth(), today.getUTCDate());
  switch (when.on) {
    case 'date': {
      const years = when.year === null ? [year - 1, year, year + 1] : [when.year];
      const days = years.map((each) => new Date(Date.UTC(each, when.month, when.day)));
      // February 29 is in some years alone.
      return days.filter((day) => day.getUTCDate() === when.day).map((day) => day.getTime());
    }
    case 'weekday':
      return [-7, 0, 7].map((week) => midnight + (week + ((when.weekday - today.getUTCDay() + 7) % 7)) * DAY);
    case 'relative':
      return [midnight + when.days * DAY];
    case 'any':
      return [-1, 0, 1, 2].map((days) => midnight + days * DAY);
    default:
      return when satisfies never;
  }
}
