import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../schemas/duration.ts';

/** A positive whole number, as an option's value. */
export const wholeNumber = (text: string): number => numberFrom(1, text);

/** The number of a round, or 0 for the setup. */
export const roundOrSetup = (text: string): number => numberFrom(0, text);

function numberFrom(least: number, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  }
  return value;
}

/** Milliseconds of a duration with units, as an option's value. */
export function milliseconds(text: string): number {
  const value = parseDuration(text);
  if (value === null) throw new InvalidArgumentError('It must be a duration such as 90s, 20m or 1h30m.');
  return value;
}
