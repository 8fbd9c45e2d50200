import { z } from 'zod';
import { parseRecord, safeParseRecord } from '../../schemas/text/parse-record.ts';

const Schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('list'), items: z.array(z.strictObject({ a: z.number() })) }),
  z.strictObject({ kind: z.literal('none') }),
]);

test('fields of a newer version are passed over at any depth', () => {
  const written = { kind: 'list', items: [{ a: 1 }, { a: 2, newer: { b: 1 } }], newer: 1, newest: 2 };
  expect(parseRecord(Schema, written)).toEqual({ kind: 'list', items: [{ a: 1 }, { a: 2 }] });
});

test('everything else is held to the schema', () => {
  expect(safeParseRecord(Schema, { kind: 'list', items: [{ a: 'x', newer: 1 }] }).success).toBe(false);
  expect(safeParseRecord(Schema, { kind: 'list', newer: 1 }).success).toBe(false);
  expect(safeParseRecord(Schema, { kind: 'another' }).success).toBe(false);
  expect(safeParseRecord(Schema, null).success).toBe(false);
});
