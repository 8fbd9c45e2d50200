import { z } from 'zod';

/** A duration as people write it: "90s", "20m", "1h", "1h30m", "500ms"; a unit is always named. */
const DURATION = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

const UNITS = [86_400_000, 3_600_000, 60_000, 1_000, 1] as const;

/** Milliseconds of a duration such as "1h30m", at least 1; null where the text is none. */
export function parseDuration(text: string): number | null {
  const ms = total(text);
  return ms !== null && Number.isSafeInteger(ms) && ms > 0 ? ms : null;
}

function total(text: string): number | null {
  const parts = DURATION.exec(text.trim());
  if (parts === null) return null;
  let ms = 0;
  for (const [index, unit] of UNITS.entries()) {
    const amount = parts[index + 1];
    if (amount !== undefined) ms += Number(amount) * unit;
  }
  return ms;
}

/** The same where a file holds it. */
export const Duration = z
  .string()
  .regex(DURATION, 'must be a duration such as "90s", "20m" or "1h30m"')
  .refine((text) => total(text) !== 0, 'must be longer than 0')
  .refine((text) => [0, null].includes(total(text)) || parseDuration(text) !== null, 'is too long');

const SIZES = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** "420ms", "1.3s", "12s", "2m 3s", "8h", "1h 5m", "2d 4h": two units at most, as nobody reads a third. */
export function durationText(ms: number): string {
  if (ms <= 0) return '0s';
  if (ms < 1_000) return `${Math.max(Math.round(ms), 1)}ms`;
  if (ms < 9_950) return `${Number((ms / 1_000).toFixed(1))}s`;
  const seconds = Math.round(ms / 1_000);
  const largest = SIZES.findIndex(([, size]) => seconds >= size);
  // To the smaller of the two units, half of which is left out at most.
  const least = SIZES[Math.min(largest + 1, SIZES.length - 1)]?.[1] ?? 1;
  let rest = Math.round(seconds / least) * least;
  const parts: string[] = [];
  for (const [unit, size] of SIZES) {
    const whole = Math.floor(rest / size);
    if (whole > 0) parts.push(`${whole}${unit}`);
    rest -= whole * size;
  }
  return parts.join(' ');
}
