import { stripVTControlCharacters } from 'node:util';

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const WEEKDAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? {1,2})?';
const ISO_TIME = String.raw`[T _]\d{2}[:_-]\d{2}(?:[:_-]\d{2}(?:[.,_]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?`;
const NUMBER = String.raw`\d+(?:[.,]\d+)?(?:e-?\d+)?`;
const UNIT =
  '(?:ns|[µμu]s|ms|msecs?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|nanoseconds?|microseconds?)';

/** The order matters: an earlier pattern may contain what a later one would match in part. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  // The random part of a temporary path; what is below it may tell one failure from another.
  [/(?<![\w.-])(?:\/private)?(?:\/var)?\/tmp\/[^\s/'"`()[\]{}<>:;,|]+/g, '<temp>'],
  [new RegExp(String.raw`\b\d{4}[-/]\d{2}[-/]\d{2}(?:${ISO_TIME})?`, 'g'), '<date>'],
  [/\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b/g, '<date>'],
  [new RegExp(String.raw`\b${WEEKDAY}${MONTH} {1,2}\d{1,2}\b(?:,? \d{4}\b)?`, 'g'), '<date>'],
  [new RegExp(String.raw`\b${WEEKDAY}\d{1,2} ${MONTH}\b(?:,? \d{4}\b)?`, 'g'), '<date>'],
  // With seconds, or with am or pm: "12:34" is a line and a column.
  [/(?<![\w:.])\d{1,2}:[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?(?![\w:])(?: ?(?:Z|UTC|GMT|[+-]\d{4})\b)?/g, '<time>'],
  [/(?<![\w:.])\d{1,2}:[0-5]\d ?[ap]m\b/gi, '<time>'],
  // Names that tell the unit themselves: "duration_ms 12.3", "elapsed: 12".
  [
    new RegExp(
      String.raw`\b((?:duration|elapsed|took)(?:_?${UNIT})?["']?\s{0,4}[:=]?\s{0,4})${NUMBER}(?: ?${UNIT})?\b`,
      'gi',
    ),
    '$1<ms>',
  ],
  [new RegExp(String.raw`(?<![\w.,])${NUMBER} {0,2}${UNIT}(?!\w)`, 'g'), '<ms>'],
  // "1m2.5s"; and "2h 3m" is one duration.
  [new RegExp(String.raw`(?<![\w.,])(?:\d+[hm]){1,2}${NUMBER}s(?!\w)`, 'g'), '<ms>'],
  [/<ms>(?: <ms>)+/g, '<ms>'],
  // "1234.5 tests/s"
  [/(?<![\w.,])\d+(?:\.\d+)? ?[a-z]{1,20}\/s(?:ec)?\b/gi, '<rate>'],
  // Addresses, and the process id in Node's warnings.
  [/\b0x[0-9a-f]{6,16}\b/gi, '<address>'],
  [/\(node:\d+\)/g, '(node)'],
];

/**
 * A line of output without what differs from run to run of the same failure: colours, durations, dates and times of day,
 * the random part of temporary paths, addresses, and the folders named in `places`.
 */
export function steadyLine(line: string, places: readonly (readonly [place: string, name: string])[]): string {
  let steady = stripVTControlCharacters(line).trimEnd();
  for (const [place, name] of places) steady = steady.replaceAll(place, name);
  for (const [passing, name] of PASSING) steady = steady.replaceAll(passing, name);
  return steady;
}
