import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../schemas/duration.ts';

/** A positive whole number, as an option's value. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  }
  return value;
}

/** Milliseconds of a duration with units, as an option's value. */
export function milliseconds(text: string): number {
  const value = parseDuration(text);
  if (value === null) throw new InvalidArgumentError('It must be a duration such as 90s, 20m or 1h30m.');
  return value;
}
