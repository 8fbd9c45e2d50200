import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { liveHolder, LOCK_IS_HELD, spawnHolder } from '../../host/locks/service.ts';
import { withLock } from '../../host/locks/with-lock.ts';
import { pathWithout } from '../support/path-without.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('hold-lock');
const SCRIPT = 'host/locks/hold-lock.sh';

const filesOf = (name: string) => ({
  lock: path.join(folder, `${name}.lock`),
  holder: path.join(folder, `${name}.holder.json`),
  ready: path.join(folder, `${name}.json`),
  log: path.join(folder, `${name}.log`),
});

test('a service has none of the descriptors that were open where it was started', () => {
  const secret = path.join(folder, 'secret');
  writeFileSync(secret, 'not for agents');
  const { lock, holder } = filesOf('descriptors');
  const service = `bash -p ${SCRIPT} ${lock} ${holder} proc boot {} ls -l /proc/self/fd`;
  const shell = `exec 7<>${secret} 200<${secret} 255<${secret}; ${service}`;
  const listed = execFileSync('bash', ['-c', shell], { encoding: 'utf8' });
  expect(listed).toContain(lock);
  expect(listed).not.toContain(secret);
});

test.each([
  ['LANG', { LANG: 'tr_TR.ISO-8859-9' }],
  ['LC_ALL', { LC_ALL: 'tr_TR.ISO-8859-9' }],
  ['neither', {}],
])('a service has the environment that it was given, with %s unknown, and no complaint', async (name, locale) => {
  const paths = filesOf(`environment-${name}`);
  const env = { PATH: process.env['PATH'], ONE: '1 "x"', ...locale };
  const seen = path.join(folder, `environment-${name}.seen`);
  // A program reads its own, as a shell would add to it.
  const argv = ['cp', '/proc/self/environ', seen];
  const script = `
    const { startService } = await import(process.argv[1]);
    const child = await startService(JSON.parse(process.argv[2]));
    child.once('exit', (code) => process.exit(code));`;
  const built = path.resolve('dist/host/locks/service.js');
  const how = JSON.stringify({ paths, argv, env, cwd: folder, fields: {} });
  execFileSync(process.execPath, ['--input-type=module', '-e', script, built, how]);
  const given = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  expect(readFileSync(seen, 'utf8').split('\0').filter(Boolean).toSorted()).toEqual(given.toSorted());
  expect(readFileSync(paths.log, 'utf8')).toBe('');
});

test('where flock is missing, Perl takes the same lock: each keeps the other out', async () => {
  const without = pathWithout('flock', path.join(folder, 'programs'));
  const paths = filesOf('perl');
  const service = (PATH: string | undefined) =>
    spawnHolder({ paths, argv: ['sleep', '60'], env: { PATH }, cwd: folder, fields: {} }, 'inherit');
  for (const [first, second] of [
    [process.env['PATH'], without],
    [without, process.env['PATH']],
  ]) {
    const holder = await service(first);
    while ((await liveHolder(paths))?.pid !== holder.pid) expect(holder.exitCode).toBeNull();
    const other = await service(second);
    expect(await once(other, 'exit')).toEqual([LOCK_IS_HELD, null]);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  }
  const PATH = process.env['PATH'];
  process.env['PATH'] = without;
  try {
    const both = await withLock(paths.lock, () => withLock(paths.lock, () => Promise.resolve(1), 1));
    expect(both).toEqual({ done: null });
  } finally {
    process.env['PATH'] = PATH;
  }
});

test('without a program that locks nothing is started, and the message names it', async () => {
  const paths = filesOf('nothing');
  const bare = path.join(folder, 'no-such-folder');
  const started = spawnHolder({ paths, argv: ['true'], env: { PATH: bare }, cwd: folder, fields: {} }, 'inherit');
  await expect(started).rejects.toMatchObject({ code: 'lock-program-missing', exit: 2 });
});

test('its holder is known before its program runs, and somebody else who asks meanwhile is told so', async () => {
  const { lock, holder } = filesOf('order');
  const words = ['-p', SCRIPT, lock, holder, 'proc', 'boot', '{"port":1}'];
  const child = spawn('bash', [...words, 'sh', '-c', `cat ${holder}; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [seen] = await once(child.stdout, 'data');
  expect(JSON.parse(String(seen))).toMatchObject({ pid: child.pid, bootId: 'boot', fields: { port: 1 } });
  expect(spawnSync('bash', [...words, 'true']).status).toBe(LOCK_IS_HELD);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(spawnSync('bash', [...words, 'true']).status).toBe(0);
});
