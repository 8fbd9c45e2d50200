import { readResetTime } from '../../agents/faults/reset-time.ts';
import { momentsOf, wallClock } from '../../agents/faults/zone-clock.ts';

const NOW = new Date('2026-11-29T20:00:00Z');

/** Numbers that look random, and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const two = (value: number): string => String(value).padStart(2, '0');
const ZONES = Intl.supportedValuesOf('timeZone');
const CASES = 2_000;

test('a sentence with a date never gives another date', () => {
  const any = numbers(1);
  const named = ['Jan', 'Feb', 'March', 'April', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'December'];
  const wrong: unknown[] = [];
  let read = 0;
  for (let i = 0; i < CASES; i += 1) {
    const zone = ZONES[any(ZONES.length)] ?? 'UTC';
    const day = new Date(Date.UTC(2026, any(24), 1 + any(28)));
    const [date] = day.toISOString().split('T');
    const [year, month] = [day.getUTCFullYear(), named[day.getUTCMonth()]];
    // Not the last minute of a day, which ends with the next day's first moment.
    const clock = `${two(any(24))}:${two(any(59))}`;
    const said = [
      `Your limit will reset at ${date} ${clock}:${two(any(60))}.`,
      `You will regain access on ${date} at ${clock}.`,
      `try again at ${month} ${day.getUTCDate()}th, ${year} ${clock}.`,
      `resets ${month} ${day.getUTCDate()} at ${clock}`,
      `available again on ${day.getUTCDate()} ${month} ${year}`,
      `Usage limit reached for 5 hour. Your limit will reset at ${date} ${clock}:00 xyz`,
      `resets ${date}T${clock}:00`,
    ][any(7)];
    const now = new Date(day.getTime() - any(30 * 86_400) * 1_000);
    const reset = readResetTime(said ?? '', now, zone);
    if (reset.kind !== 'stated') continue;
    read += 1;
    const shown = wallClock(reset.at, zone)?.toISOString().slice(0, 10);
    if (shown !== date) wrong.push({ said, now, zone, shown });
  }
  expect(wrong).toEqual([]);
  expect(read).toBeGreaterThan(CASES / 2);
});

test('a limit of five hours is never waited for longer than five hours and a margin', () => {
  const any = numbers(2);
  const limits = [
    'Usage limit reached for 5 hour.',
    '5-hour limit reached ·',
    '5 hour usage limit reached,',
    '5h limit:',
  ];
  const tooLong: unknown[] = [];
  let read = 0;
  for (let i = 0; i < CASES; i += 1) {
    const now = new Date(Date.UTC(2026, any(24), 1 + any(28), any(24), any(60)));
    const zone = ZONES[any(ZONES.length)] ?? 'UTC';
    const ends = [
      `resets at ${1 + any(12)}${any(2) === 0 ? 'am' : 'pm'}`,
      `will reset at ${new Date(now.getTime() + any(20 * 3_600_000)).toISOString().slice(0, 19).replace('T', ' ')}`,
      `resets in ${any(12)} hours ${any(60)} minutes`,
      `resets ${two(any(24))}:${two(any(60))} (${ZONES[any(ZONES.length)]})`,
    ][any(4)];
    const reset = readResetTime(`${limits[any(4)]} ${ends}`, now, zone);
    if (reset.kind !== 'stated') continue;
    read += 1;
    if (reset.at.getTime() - now.getTime() > (5 * 60 + 15) * 60_000) tooLong.push({ ends, now, zone, reset });
  }
  expect(tooLong).toEqual([]);
  expect(read).toBeGreaterThan(CASES / 10);
});

test('garbage gives nothing', () => {
  const any = numbers(3);
  const pieces = 'resets at in 20 2026 - : pm Nov ( ) / x 5 hours , . | T Z é \u0000 😀'.split(' ');
  // What may form a time by chance: "20 pm", "5 hours", "Nov 20", "20 : 20".
  const sensible = /\d\s*pm|\d\s*hours|nov|\d\s*:\s*20/i;
  const read = Array.from({ length: CASES }, () =>
    Array.from({ length: 1 + any(12) }, () => pieces[any(pieces.length)]).join(any(2) === 0 ? ' ' : ''),
  ).filter((sentence) => !sensible.test(sentence) && readResetTime(sentence, NOW, 'UTC').kind !== 'none');
  expect(read).toEqual([]);
});

const HOUR = 3_600_000;

/** Clocks change at full or half hours of UTC. */
const STEP = HOUR / 2;

/** The moments of a year from which a zone's clocks stand otherwise than before. */
function changesOf(zone: string, year: number): number[] {
  const offset = (at: number): number => (wallClock(new Date(at), zone)?.getTime() ?? 0) - at;
  const moments: number[] = [];
  for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += 24 * HOUR) {
    if (offset(day) === offset(day + 24 * HOUR)) continue;
    for (let at = day; at < day + 24 * HOUR; at += STEP) if (offset(at) !== offset(at + STEP)) moments.push(at + STEP);
  }
  return moments;
}

test('in every zone a clock time around each change of the clocks is a moment at which its wall shows it', () => {
  const wrong: unknown[] = [];
  let changes = 0;
  for (const zone of ZONES) {
    for (const change of changesOf(zone, 2026)) {
      changes += 1;
      for (let minutes = -180; minutes <= 180; minutes += 15) {
        const moment = change + minutes * 60_000;
        const wall = wallClock(new Date(moment), zone) ?? new Date(0);
        const moments = momentsOf(wall.getTime(), zone).map((each) => each.getTime());
        const clock = wall.toISOString().slice(11, 16);
        const said = readResetTime(`resets at ${clock} (${zone})`, new Date(moment - HOUR / 2), 'UTC');
        // The minute's end; of an hour that comes twice the earlier one that is still to come.
        const early =
          said.kind === 'stated' &&
          moments.includes(said.at.getTime() - 60_000) &&
          said.at.getTime() <= moment + 60_000;
        if (!moments.includes(moment) || !early) wrong.push({ zone, clock, moment: new Date(moment), moments, said });
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(changes).toBeGreaterThan(100);
});

test('a clock time that clocks skip is as far behind the change, in every zone', () => {
  const wrong: unknown[] = [];
  for (const zone of ZONES) {
    for (const change of changesOf(zone, 2026)) {
      const [before, after] = [change - STEP, change].map((at) => wallClock(new Date(at), zone)?.getTime() ?? 0);
      const skipped = (after ?? 0) - (before ?? 0) - STEP;
      if (skipped <= 0) continue;
      const wall = (before ?? 0) + STEP + skipped / 2;
      const moments = momentsOf(wall, zone).map((at) => at.getTime());
      if (moments.length !== 1 || moments[0] !== change + skipped / 2) wrong.push({ zone, change, moments });
    }
  }
  expect(wrong).toEqual([]);
});
