import { amountOf } from '../../../client/stats/sums-of.ts';

const known = (amount: number, unreported = 0) => ({ kind: 'known', amount, estimated: false, unreported });

test.each([
  ['no amount', [], known(0)],
  ['zeros', [0, 0], known(0)],
  ['an unknown amount', [null], { kind: 'unknown' }],
  ['gates, which use none, beside an unknown amount', [0, null], { kind: 'unknown' }],
  ['an amount beside an unknown one', [5, null], known(5, 1)],
])('the sum of %s', (_what, amounts, sum) => {
  expect(amountOf(amounts)).toEqual(sum);
});
