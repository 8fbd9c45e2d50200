import { ralphError } from '../../schemas/errors/index.ts';
import { parseDuration } from '../../schemas/text/duration.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Milliseconds of the epoch of a `--since`: how long ago ("90m", "7d"), a date or a time, of this machine's time zone
 * unless it names one. Null where the option was not given. Throws RalphError `since-invalid`.
 */
export function sinceMs(since: string | undefined, now: number): number | null {
  if (since === undefined) return null;
  const ago = parseDuration(since);
  if (ago !== null) return now - ago;
  const [, year, month, day, time] = DATE.exec(since) ?? [];
  const at = Date.parse(time === undefined ? `${since}T00:00` : since);
  // Date.parse takes the 31st of any month.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (Number.isNaN(at) || !isDay) throw ralphError('since-invalid', { since });
  return at;
}
