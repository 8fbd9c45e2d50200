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

export { durationText } from './duration-text.ts';
