import { fromEpoch, fromRetryAfter, fromSentence } from '../../agents/faults/reset-time.ts';

const NOW = new Date('2026-11-29T20:00:00Z');
const iso = (at: Date | null): string | null => at?.toISOString().replace('.000Z', 'Z') ?? null;

test.each([
  ["You've hit your limit · resets 8:20pm (Europe/Berlin)", '2026-11-30T19:21:00Z'],
  ["You've hit your limit · resets 11pm (Europe/Berlin)", '2026-11-29T22:01:00Z'],
  ['Limit reached, resets Dec 1, 8am (America/New_York)', '2026-12-01T13:01:00Z'],
  ['resets at 12am (UTC)', '2026-11-30T00:01:00Z'],
  ['resets at 21:30 (UTC)', '2026-11-29T21:31:00Z'],
  ['resets Jan 2 at 9am (UTC)', '2027-01-02T09:01:00Z'],
  ['purchase more credits or try again at Nov 30th, 2026 12:53 AM.', '2026-11-29T23:54:00Z'],
  ['or try again at 12:53 AM.', '2026-11-29T23:54:00Z'],
  ['Rate limit reached for m. Please try again in 11.054s.', '2026-11-29T20:00:11.054Z'],
  ['Try again in 2 days 3 hours 5 minutes.', '2026-12-01T23:05:00Z'],
  ['Please try again in 1h2m3s', '2026-11-29T21:02:03Z'],
  ['Suggested retry after 34s.', '2026-11-29T20:00:34Z'],
  ['usage limit reached|1796000000', '2026-11-30T00:53:20Z'],
  ['available again at 2026-11-30T01:02:03+01:00', '2026-11-30T00:02:03Z'],
  ['over the change of the clocks: resets Mar 28, 3am (Europe/Berlin)', '2027-03-28T01:01:00Z'],
])('%s', (sentence, expected) => {
  expect(iso(fromSentence(sentence, NOW, 'Europe/Berlin'))).toBe(expected);
});

const at = (moment: string, sentence: string, zone: string): string | null =>
  iso(fromSentence(sentence, new Date(moment), zone));

describe('five hours are five hours', () => {
  test.each([
    ['on an ordinary day', '2026-11-29T12:00:00Z', '2026-11-29T17:00:00Z'],
    ['over midnight and the end of a month', '2026-11-30T22:30:00Z', '2026-12-01T03:30:00Z'],
    ['over the end of a year', '2026-12-31T21:00:00Z', '2027-01-01T02:00:00Z'],
    ['while clocks go forward', '2027-03-27T23:30:00Z', '2027-03-28T04:30:00Z'],
    ['while clocks go back', '2026-10-24T22:30:00Z', '2026-10-25T03:30:00Z'],
    ['over a leap day', '2028-02-28T22:00:00Z', '2028-02-29T03:00:00Z'],
  ])('%s', (_when, now, expected) => {
    for (const words of ['Please try again in 5 hours.', 'try again in 5h', 'retry after 300 minutes', 'in 18000s']) {
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
    ['noon', '2026-11-29T11:00:00Z', 'resets 12pm (UTC)', '2026-11-29T12:01:00Z'],
    ['midnight', '2026-11-29T11:00:00Z', 'resets 12am (UTC)', '2026-11-30T00:01:00Z'],
    ['half an hour off', '2026-11-29T12:00:00Z', 'resets 8:20pm (Asia/Kolkata)', '2026-11-29T14:51:00Z'],
    // In Berlin clocks go forward at 1:00 UTC on March 28, back at 1:00 UTC on October 25.
    ['after clocks went forward', '2027-03-27T20:00:00Z', 'resets 8am (Europe/Berlin)', '2027-03-28T06:01:00Z'],
    ['after clocks went back', '2026-10-24T20:00:00Z', 'resets 8am (Europe/Berlin)', '2026-10-25T07:01:00Z'],
    ['the day before clocks go forward', '2027-03-26T20:00:00Z', 'resets 8am (Europe/Berlin)', '2027-03-27T07:01:00Z'],
    ['tomorrow, past a change', '2027-03-27T08:00:00Z', 'resets 8am (Europe/Berlin)', '2027-03-28T06:01:00Z'],
  ])('%s', (_what, now, sentence, expected) => {
    expect(at(now, sentence, 'UTC')).toBe(expected);
  });

  test('one that no clock shows, as clocks go forward over it, is within the hour', () => {
    const read = at('2027-03-27T20:00:00Z', 'resets 2:30am (Europe/Berlin)', 'UTC');
    expect(['2027-03-28T00:31:00Z', '2027-03-28T01:31:00Z']).toContain(read);
  });

  test('one that clocks show twice is one of the two', () => {
    const read = at('2026-10-24T20:00:00Z', 'resets 2:30am (Europe/Berlin)', 'UTC');
    expect(['2026-10-25T00:31:00Z', '2026-10-25T01:31:00Z']).toContain(read);
  });
});

test.each([
  'try again later',
  'resets 8pm (Nowhere/Land)',
  'the test failed in 3 places',
  'resets soon',
  'in 5 apples',
  '',
])('no time is read from "%s"', (sentence) => {
  expect(fromSentence(sentence, NOW, 'UTC')).toBeNull();
});

test.each([
  ['resets 8pm (UTC)', '2026-11-29T20:00:40Z', '2026-11-29T20:01:00Z'],
  ['try again at Nov 29th, 2026 8:00 PM', '2026-11-29T20:00:40Z', '2026-11-29T20:01:00Z'],
  ['resets Nov 29, 8pm (UTC)', '2026-11-29T20:00:40Z', '2026-11-29T20:01:00Z'],
  ['resets 8pm (UTC)', '2026-11-29T20:11:00Z', '2026-11-30T20:01:00Z'],
])('"%s", said at %s, is the minute that is just over or the next such time', (sentence, now, expected) => {
  expect(iso(fromSentence(sentence, new Date(now), 'UTC'))).toBe(expected);
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
