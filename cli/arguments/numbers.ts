import { InvalidArgumentError } from 'commander';
import { LEAST_COST_USD, parseTokenCount } from '../../schemas/budget/budget-words.ts';
import { parseDuration } from '../../schemas/text/duration.ts';

/** A positive whole number, as an option's value. */
export const wholeNumber = (text: string): number => numberFrom(1, text);

/** The number of a round, or 0 for what comes before the first; a number of rounds, or 0 for none. */
export const numberFromZero = (text: string): number => numberFrom(0, text);

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

/** Tokens, with a unit or without, as an option's value. */
export function tokenCount(text: string): number {
  const value = parseTokenCount(text);
  if (value === null) throw new InvalidArgumentError('It must be a number of tokens such as 20000, 500k or 5M.');
  return value;
}

/** An amount of US dollars, a cent at least, as an option's value. */
export function dollars(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !(value >= LEAST_COST_USD)) {
    throw new InvalidArgumentError(
      `It must be an amount of US dollars such as 20 or 2.50, at least ${LEAST_COST_USD}.`,
    );
  }
  return value;
}
