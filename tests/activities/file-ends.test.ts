import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileEnds } from '../../activities/step/setup-failed.ts';

const folder = await mkdtemp(path.join(os.tmpdir(), 'ralph-file-ends-'));
afterAll(() => rm(folder, { recursive: true }));

test('a short file is told whole, of a long one the beginning and the end, and no file is nothing', async () => {
  const file = path.join(folder, 'stderr');
  await writeFile(file, ' all of it\n');
  expect(await fileEnds(file, { first: 10, last: 10 })).toBe('all of it');
  await writeFile(file, `the cause${' usage'.repeat(1_000)} the last words\n`);
  expect(await fileEnds(file, { first: 9, last: 15 })).toBe('the cause […] the last words');
  expect(await fileEnds(path.join(folder, 'none'), { first: 9, last: 15 })).toBe('');
});
