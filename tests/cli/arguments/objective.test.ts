import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { readObjective } from '../../../cli/arguments/objective.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ralph-objective-'));
});
afterAll(() => rm(folder, { recursive: true }));

const none = Readable.from([]);

function* endless() {
  for (;;) yield Buffer.alloc(65_536, 'x');
}

test('an objective from a file or stdin arrives byte for byte, with quotes, newlines, emoji and a byte order mark', async () => {
  const text = `\ufeff& | > " ' \r\n\t🦀 ${'x'.repeat(60_000)}\n`;
  const file = path.join(folder, 'objective.md');
  await writeFile(file, text);
  expect(await readObjective({ argument: undefined, file, stdin: none })).toBe(text);
  const stdin = Readable.from([Buffer.from(text).subarray(0, 9), Buffer.from(text).subarray(9)]);
  expect(await readObjective({ argument: '-', file: undefined, stdin })).toBe(text);
});

test('an objective has exactly one source', async () => {
  await expect(readObjective({ argument: undefined, file: undefined, stdin: none })).rejects.toThrow(/one objective/);
  await expect(readObjective({ argument: 'a', file: 'b', stdin: none })).rejects.toThrow(/one objective/);
});

test('an objective over the limit is refused with both numbers and the way out', async () => {
  const exact = readObjective({ argument: 'x'.repeat(65_537), file: undefined, stdin: none });
  await expect(exact).rejects.toThrow(/65,537 characters\. The limit is 65,536 .* file in the repository/);
  await expect(readObjective({ argument: 'x'.repeat(65_536), file: undefined, stdin: none })).resolves.toHaveLength(
    65_536,
  );
  const file = path.join(folder, 'long');
  await writeFile(file, 'x'.repeat(300_000));
  await expect(readObjective({ argument: undefined, file, stdin: none })).rejects.toThrow(/more than 196,608 bytes/);
});

test('an endless stdin is not read to its end', async () => {
  const stdin = Readable.from(endless());
  await expect(readObjective({ argument: '-', file: undefined, stdin })).rejects.toThrow(/objective has more than/);
});

test('bytes that are no UTF-8 are refused, not replaced', async () => {
  const file = path.join(folder, 'latin1');
  await writeFile(file, Buffer.from([0x66, 0xfc, 0x72]));
  await expect(readObjective({ argument: undefined, file, stdin: none })).rejects.toThrow(/not UTF-8/);
});

test('white space alone, a missing file and a folder are refused', async () => {
  await expect(readObjective({ argument: ' \n', file: undefined, stdin: none })).rejects.toThrow(/empty/);
  const missing = path.join(folder, 'missing');
  await expect(readObjective({ argument: undefined, file: missing, stdin: none })).rejects.toThrow(
    /cannot be read.*there is no such file/,
  );
  await expect(readObjective({ argument: undefined, file: folder, stdin: none })).rejects.toThrow(
    /cannot be read.*it is a folder/,
  );
});
