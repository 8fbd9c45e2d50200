/** A place's clock: an IANA zone by its name, or a fixed offset from UTC in minutes. */
export type Zone = string | number;

/** The zone of this machine: the programs run with it too. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** Null for a name that is no zone. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = newFormat(zone);
  formats.set(zone, made);
  return made;
}

function newFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export const isZone = (name: string): boolean => formatOf(name) !== null;

/** The clock on the wall of a zone, as a Date whose UTC fields show it; null for a zone that is none. */
export function wallClock(at: Date, zone: Zone): Date | null {
  if (typeof zone === 'number') return new Date(at.getTime() + zone * MINUTE_MS);
  const parts = formatOf(zone)?.formatToParts(at);
  if (parts === undefined) return null;
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((each) => each.type === type)?.value);
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')));
}

/**
 * Every moment at which the wall of a zone shows this time, in order: two in the hour that comes twice. For a time that
 * clocks skip, the moment that is as long after the change: 2:30 is 3:30 then. Empty for a zone that is none.
 * @param wall as `wallClock` gives it, in milliseconds
 */
export function momentsOf(wall: number, zone: Zone): Date[] {
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((near) => offsetAt(near, zone));
  if (before == null || after == null) return [];
  const moments = [...new Set([wall - before, wall - after])].toSorted((a, b) => a - b).map((ms) => new Date(ms));
  const shown = moments.filter((at) => wallClock(at, zone)?.getTime() === wall);
  return shown.length > 0 ? shown : [new Date(wall - before)];
}

/** How far a zone's wall is ahead of UTC at a moment, in milliseconds. */
function offsetAt(ms: number, zone: Zone): number | null {
  const whole = Math.floor(ms / 1_000) * 1_000;
  const shown = wallClock(new Date(whole), zone);
  return shown === null ? null : shown.getTime() - whole;
}

/** What a zone is called for short, the whole year round: "PST" and "PDT". */
export function shortNames(zone: string, year: number): string[] {
  if (!isZone(zone)) return [];
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' });
  return [0, 6].flatMap((month) =>
    format
      .formatToParts(Date.UTC(year, month, 1))
      .flatMap(({ type, value }) => (type === 'timeZoneName' ? [value] : [])),
  );
}
