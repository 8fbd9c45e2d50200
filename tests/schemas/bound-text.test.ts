import { boundText } from '../../schemas/text/bound-text.ts';

test('a bounded text never ends in half a surrogate pair', () => {
  const cut = boundText('🙂'.repeat(100), 101);
  expect(Buffer.from(cut).toString()).toBe(cut);
  expect(cut.length).toBeLessThanOrEqual(101);
});
