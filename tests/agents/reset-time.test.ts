import { readFileSync } from 'node:fs';
import { fromEpoch, fromRetryAfter, readResetTime } from '../../agents/faults/reset-time.ts';

const NOW = new Date('2026-11-29T20:00:00Z');
const iso = (at: Date | null): string | null => at?.toISOString().replace('.000Z', 'Z') ?? null;

/** When a sentence says that a limit ends; null: it states no time; "implausible": it states one that cannot be. */
function read(sentence: string, now = NOW, zone = 'UTC'): string | null {
  const reset = readResetTime(sentence, now, zone);
  return reset.kind === 'stated' ? iso(reset.at) : reset.kind === 'none' ? null : reset.kind;
}
const at = (moment: string, sentence: string, zone: string): string | null => read(sentence, new Date(moment), zone);

/** What programs and servers were seen to write; the file says how to read it. */
const SENTENCES = readFileSync('tests/fixtures/agents/limit-sentences.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll('\\n', '\n').split('\t'));

test('at least sixty real sentences are known', () => {
  expect(SENTENCES.length).toBeGreaterThanOrEqual(60);
});

test.each(SENTENCES)('%s: %s is the end of %s', (_who, ends, sentence = '') => {
  expect(read(sentence, NOW, 'Europe/Berlin') ?? '-').toBe(ends);
});

describe('a wait of hours is exactly that long', () => {
  test.each([
    ['over midnight', '2026-11-30T22:30:00Z', '2026-12-01T03:30:00Z'],
    ['over the end of a year', '2026-12-31T21:00:00Z', '2027-01-01T02:00:00Z'],
    ['while clocks go forward', '2027-03-27T23:30:00Z', '2027-03-28T04:30:00Z'],
    ['while clocks go back', '2026-10-24T22:30:00Z', '2026-10-25T03:30:00Z'],
    ['over a leap day', '2028-02-28T22:00:00Z', '2028-02-29T03:00:00Z'],
  ])('%s', (_when, now, expected) => {
    for (const words of [
      'Please try again in 5 hours.',
      'try again in 5h',
      'retry after 300 minutes',
      'resets in 18000s',
    ]) {
      expect(at(now, words, 'Europe/Berlin')).toBe(expected);
    }
  });
});

describe('a time of day is the next such time on that wall', () => {
  test.each([
    ['later today', '2026-11-29T12:00:00Z', 'resets 6pm (Europe/Berlin)', '2026-11-29T17:01:00Z'],
    ['past for today', '2026-11-29T18:00:00Z', 'resets 6pm (Europe/Berlin)', '2026-11-30T17:01:00Z'],
    ['already tomorrow there', '2026-11-29T23:30:00Z', 'resets 2am (Europe/Berlin)', '2026-11-30T01:01:00Z'],
    ['still yesterday there', '2026-11-30T03:00:00Z', 'resets 11pm (America/New_York)', '2026-11-30T04:01:00Z'],
    ['over the end of a month', '2026-11-30T23:30:00Z', 'resets 1:15am (UTC)', '2026-12-01T01:16:00Z'],
    ['over the end of a year', '2026-12-31T23:30:00Z', 'try again at 12:53 AM.', '2027-01-01T00:54:00Z'],
    [
      'over the end of a year, with a date',
      '2026-12-31T23:30:00Z',
      'resets Jan 2 at 9am (UTC)',
      '2027-01-02T09:01:00Z',
    ],
    ['noon', '2026-11-29T11:00:00Z', 'resets 12pm (UTC)', '2026-11-29T12:01:00Z'],
    ['midnight', '2026-11-29T11:00:00Z', 'resets 12am (UTC)', '2026-11-30T00:01:00Z'],
    ['half an hour off', '2026-11-29T12:00:00Z', 'resets 8:20pm (Asia/Kolkata)', '2026-11-29T14:51:00Z'],
    ['on a 24-hour clock', '2026-11-29T20:00:00Z', 'resets at 21:30 (UTC)', '2026-11-29T21:31:00Z'],
    // In Berlin clocks go forward at 1:00 UTC on March 28, back at 1:00 UTC on October 25.
    ['after clocks went forward', '2027-03-27T20:00:00Z', 'resets 8am (Europe/Berlin)', '2027-03-28T06:01:00Z'],
    ['after clocks went back', '2026-10-24T20:00:00Z', 'resets 8am (Europe/Berlin)', '2026-10-25T07:01:00Z'],
    ['the day before clocks go forward', '2027-03-26T20:00:00Z', 'resets 8am (Europe/Berlin)', '2027-03-27T07:01:00Z'],
    ['tomorrow, past a change', '2027-03-27T08:00:00Z', 'resets 8am (Europe/Berlin)', '2027-03-28T06:01:00Z'],
    [
      'right after clocks go forward',
      '2027-03-20T20:00:00Z',
      'resets Mar 28, 3am (Europe/Berlin)',
      '2027-03-28T01:01:00Z',
    ],
    [
      'in a skipped hour, which is as far behind the change',
      '2027-03-27T20:00:00Z',
      'resets 2:30am (Europe/Berlin)',
      '2027-03-28T01:31:00Z',
    ],
    [
      'in an hour that comes twice, before both',
      '2026-10-24T20:00:00Z',
      'resets 2:30am (Europe/Berlin)',
      '2026-10-25T00:31:00Z',
    ],
    [
      'in an hour that comes twice, after the first',
      '2026-11-01T05:45:00Z',
      'resets 1:30am (America/New_York)',
      '2026-11-01T06:31:00Z',
    ],
    [
      'in an hour that comes twice, after both',
      '2026-11-01T06:45:00Z',
      'resets 1:30am (America/New_York)',
      '2026-11-02T06:31:00Z',
    ],
  ])('%s', (_what, now, sentence, expected) => {
    expect(at(now, sentence, 'UTC')).toBe(expected);
  });

  test.each([
    ['resets 8pm (UTC)', '2026-11-29T20:00:40Z', '2026-11-29T20:01:00Z'],
    ['try again at Nov 29th, 2026 8:00 PM', '2026-11-29T20:00:40Z', '2026-11-29T20:01:00Z'],
    ['resets Nov 29, 8pm (UTC)', '2026-11-29T20:00:40Z', '2026-11-29T20:01:00Z'],
    ['resets 8pm (UTC)', '2026-11-29T20:11:00Z', '2026-11-30T20:01:00Z'],
  ])('"%s", said at %s, is the minute that is just over or the next such time', (sentence, now, expected) => {
    expect(at(now, sentence, 'UTC')).toBe(expected);
  });
});

test.each([
  ['CST', 'Asia/Shanghai', '2026-11-29T12:01:00Z'],
  ['CST', 'Europe/Berlin', '2026-11-30T02:01:00Z'],
  ['PDT', 'America/Los_Angeles', '2026-11-30T04:01:00Z'],
  ['CEST', 'America/New_York', '2026-11-29T18:01:00Z'],
  ['UTC+8', 'Europe/Berlin', '2026-11-29T12:01:00Z'],
  ['+0530', 'Europe/Berlin', '2026-11-29T14:31:00Z'],
  ['Asia/Tokyo', 'Europe/Berlin', '2026-11-29T11:01:00Z'],
  ['(Japan)', 'Europe/Berlin', '2026-11-29T11:01:00Z'],
  ['Central European Time', 'Europe/Berlin', null],
])('"8pm %s" in %s is read as that zone’s', (zone, here, expected) => {
  expect(at('2026-11-29T09:00:00Z', `resets at 8pm ${zone}.`, here)).toBe(expected);
});

test.each([
  'try again later',
  'resets 8pm (Nowhere/Land)',
  'resets 8pm XQT',
  'the test failed in 3 places',
  'resets soon',
  'resets in 5 apples',
  'resets in 5 hours 30 apples',
  'resets in 5hx',
  'resets 20',
  'resets at 2026',
  'resets at 25:00',
  'resets at 13pm',
  'resets at 0am',
  'resets at 8:2pm',
  'resets at 8:20:5',
  'resets at 8:201pm',
  'resets at 8:20pm5',
  'resets at 8-9pm',
  'resets in 05:30',
  'resets on 12/01/2026 at 8pm',
  'resets on 2026-13-01 00:00',
  'resets on 2026-02-30',
  'resets Dec 1, 3 apples',
  'resets Dec 32 at 8pm',
  'resets Tue, 30 Nov 2026 01:00:00 GMT',
  'resets on 2026-12-01 at 25:00',
  'resets at 20261130225013',
  'usage limit reached|17960000001',
  'preset 8pm (UTC)',
  '',
])('no time is read from "%s"', (sentence) => {
  expect(read(sentence)).toBeNull();
});

test.each([
  ['Usage limit reached for 5 hour. Your limit will reset at 2026-12-02 22:50:13', /5 hour/],
  ['5-hour limit reached ∙ resets 8am (UTC)', /5-hour limit/],
  ['Hourly quota exceeded, resets in 3 hours', /Hourly quota/],
  ['too many tokens per minute, try again in 2 hours', /per minute/],
  ['daily limit reached, resets Dec 5 at 3pm (UTC)', /daily limit/],
  ['resets Nov 28 at 3pm (UTC)', /longer than any known limit/],
  ['resets on 2027-11-30', /longer than any known limit/],
])('a wait that is too long for the limit is named and not used: "%s"', (sentence, why) => {
  expect(readResetTime(sentence, NOW, 'UTC')).toEqual({ kind: 'implausible', why: expect.stringMatching(why) });
});

test('a retry-after header holds seconds or a date', () => {
  expect(iso(fromRetryAfter('3600', NOW))).toBe('2026-11-29T21:00:00Z');
  expect(iso(fromRetryAfter('Mon, 30 Nov 2026 01:00:00 GMT', NOW))).toBe('2026-11-30T01:00:00Z');
  expect(fromRetryAfter('soon', NOW)).toBeNull();
});

test('an epoch is taken in seconds and in milliseconds', () => {
  expect(iso(fromEpoch(1_796_000_000))).toBe('2026-11-30T00:53:20Z');
  expect(iso(fromEpoch(1_796_000_000_000))).toBe('2026-11-30T00:53:20Z');
  expect(fromEpoch(Number.NaN)).toBeNull();
  expect(fromEpoch(1e300)).toBeNull();
});
