import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { OwnPrices, PriceTable } from '../../schemas/budget/prices.ts';
import { readTextIfAny } from '../../system/read-text.ts';

const BUILT_IN = fileURLToPath(new URL('prices.json', import.meta.url));

/** Where a user's own prices stand. */
export const ownPricesFile = (ralphHome: string): string => path.join(ralphHome, 'prices.json');

/**
 * The price table that comes with the engine, with the user's own prices laid over it.
 * @throws RalphError `prices-broken`
 */
export async function readPrices(ralphHome: string): Promise<PriceTable> {
  const table = PriceTable.parse(JSON.parse(await readFile(BUILT_IN, 'utf8')));
  const file = ownPricesFile(ralphHome);
  const text = readTextIfAny(file);
  if (text === null) return table;
  const own = OwnPrices.safeParse(parsed(file, text));
  if (!own.success) throw ralphError('prices-broken', { file, problem: z.prettifyError(own.error) });
  return { ...table, models: { ...table.models, ...own.data.models } };
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw ralphError('prices-broken', { file, problem: error.message }, { cause: error });
  }
}
