/** The zone of this machine: the programs run with it too. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The clock on the wall of a zone, as a Date whose UTC fields show it; null for a zone that is none. */
export function wallClock(at: Date, zone: string): Date | null {
  try {
    const parts = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }).formatToParts(at);
    const part = (type: Intl.DateTimeFormatPartTypes): number =>
      Number(parts.find((each) => each.type === type)?.value);
    return new Date(
      Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')),
    );
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The moment at which the wall of a zone shows this; asked twice, as the offset may change in between. */
export function fromWallClock(wall: number, zone: string): Date | null {
  let at = wall;
  for (let i = 0; i < 2; i += 1) {
    const shown = wallClock(new Date(at), zone);
    if (shown === null) return null;
    at += wall - shown.getTime();
  }
  return new Date(at);
}
