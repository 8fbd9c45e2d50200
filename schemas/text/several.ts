/** "1 round", "3 rounds", "1,200 rounds". */
export function several(amount: number, thing: string): string {
  return `${amount.toLocaleString('en-US')} ${thing}${amount === 1 ? '' : 's'}`;
}

/** "1 of 1 round is used", "3 of 8 rounds are used". */
export const usedOf = (used: number, most: number, thing: string): string =>
  `${used.toLocaleString('en-US')} of ${several(most, thing)} ${most === 1 ? 'is' : 'are'} used`;
