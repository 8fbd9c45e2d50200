import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownPricesFile, readPrices } from '../../agents/usage/read-prices.ts';
import { priceOf } from '../../schemas/budget/prices.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('prices');
let count = 0;

/** A RALPH_HOME with this price table. */
function homeWith(text: string | null): string {
  const home = path.join(folder, `home-${(count += 1)}`);
  mkdirSync(home, { recursive: true });
  if (text !== null) writeFileSync(ownPricesFile(home), text);
  return home;
}

test('the built-in table is dated, says where it is from, and knows models of all three providers', async () => {
  const table = await readPrices(homeWith(null));
  expect(Date.parse(table.asOf)).not.toBeNaN();
  expect(table.source).toMatch(/platform\.claude\.com.*openai\.com.*ai\.google\.dev/);
  for (const model of ['claude-sonnet-5-5', 'gpt-5.5', 'gemini-2.5-pro']) expect(priceOf(model, table)).not.toBeNull();
  for (const [model, price] of Object.entries(table.models)) {
    expect({ model, dearer: price.output > price.input, cheaper: price.cacheRead < price.input }).toEqual({
      model,
      dearer: true,
      cheaper: true,
    });
  }
});

test("a user's own prices win, add models, and leave the others", async () => {
  const mine = { input: 7, output: 8, cacheWrite: 9, cacheRead: 1 };
  const home = homeWith(JSON.stringify({ models: { 'gpt-5.5': mine, 'my-model': mine } }));
  const table = await readPrices(home);
  expect([priceOf('gpt-5.5', table), priceOf('my-model', table)]).toEqual([mine, mine]);
  expect(priceOf('gemini-2.5-pro', table)).not.toBeNull();
});

test.each([
  ['is no JSON', '{"models":'],
  ['lacks a price', '{"models":{"m":{"input":1,"output":2}}}'],
  ['has a negative one', '{"models":{"m":{"input":-1,"output":2,"cacheWrite":1,"cacheRead":1}}}'],
  ['has a field that nobody knows', '{"models":{},"currency":"EUR"}'],
])('a file that %s is refused by name', async (_what, text) => {
  const home = homeWith(text);
  const refused = readPrices(home);
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'prices-broken', exit: 2 }));
  await expect(refused).rejects.toThrow(ownPricesFile(home));
});
