import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { homePaths } from '../../host/home-paths.ts';
import { startService } from '../../host/locks/service.ts';
import { keepWatchdog, watchdogPid } from '../../host/worker-process/watchdog.ts';
import { IN_FOREGROUND } from '../../host/worker-process/worker-record.ts';
import { cleanUp } from '../fixtures/host/clean-up.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';
import { pathWithout } from '../support/path-without.ts';
import { hasEnded } from '../support/survivors.ts';
import { waitFor } from '../support/wait-for.ts';

/** A watchdog of this shell command, which notes when it starts. */
async function watch(
  home: string,
  command: string,
  PATH = process.env['PATH'],
): Promise<{ pid: number; starts: () => number[] }> {
  const { worker } = homePaths(home);
  const noted = path.join(home, 'starts');
  const script = path.resolve('host/worker-process/watchdog.sh');
  const noting = `date +%s%3N >> ${noted}; ${command}`;
  const { pid } = spawn('bash', ['-p', script, worker.lock, worker.holder, `${home}/log`, 'sh', '-c', noting], {
    stdio: 'ignore',
    env: { ...process.env, PATH },
  });
  if (pid === undefined) throw new Error('bash did not start');
  cleanUp(async () => void (hasEnded(pid) || process.kill(pid, 'SIGKILL')));
  return {
    pid,
    starts: () => (existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n').map(Number) : []),
  };
}

/** Whether the signal was sent and not taken yet. */
const isPending = (pid: number, signal: NodeJS.Signals): boolean => {
  const pending = /ShdPnd:\s*(\w+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${pending}`) & (1n << BigInt(constants.signals[signal] - 1))) !== 0n;
};

test('what ends at once is started again later and later', async () => {
  const home = await temporaryHome();
  writeFileSync(homePaths(home).worker.lock, '');
  const { starts } = await watch(home, 'exit 1');
  await waitFor('the third start', 20_000, () => starts().length === 3);
  const [first = 0, second = 0, third = 0] = starts();
  expect(second - first).toBeGreaterThanOrEqual(1_900);
  expect(third - second).toBeGreaterThanOrEqual(3_900);
});

test('SIGTERM while the worker is on its way ends it only when the worker can be found', async () => {
  const home = await temporaryHome();
  const { worker } = homePaths(home);
  writeFileSync(worker.lock, '');
  const onItsWay = `until [ -e ${home}/go ]; do sleep 0.05; done; echo '{"pid":'$$',' > ${worker.holder}; exec sleep 60`;
  const { pid, starts } = await watch(home, onItsWay);
  await waitFor('the start', 10_000, () => starts().length === 1);
  process.kill(pid, 'SIGTERM');
  await waitFor('the signal to be taken', 10_000, () => !isPending(pid, 'SIGTERM'));
  expect(hasEnded(pid)).toBe(false);
  writeFileSync(`${home}/go`, '');
  await waitFor('its end', 10_000, () => hasEnded(pid));
  const [, started = ''] = /"pid":(\d+)/.exec(readFileSync(worker.holder, 'utf8')) ?? [];
  expect(hasEnded(started)).toBe(false);
  process.kill(Number(started), 'SIGKILL');
});

test('SIGTERM while what it starts is on its way and then fails ends it all the same', async () => {
  const home = await temporaryHome();
  writeFileSync(homePaths(home).worker.lock, '');
  const { pid, starts } = await watch(home, `until [ -e ${home}/go ]; do sleep 0.05; done; exit 1`);
  await waitFor('the start', 10_000, () => starts().length === 1);
  process.kill(pid, 'SIGTERM');
  await waitFor('the signal to be taken', 10_000, () => !isPending(pid, 'SIGTERM'));
  writeFileSync(`${home}/go`, '');
  await waitFor('its end', 5_000, () => hasEnded(pid));
  expect(starts()).toHaveLength(1);
});

test('killed with -9 it leaves nothing behind, whatever it waited for', async () => {
  const home = await temporaryHome();
  const { worker } = homePaths(home);
  writeFileSync(worker.lock, '');
  const holding = spawn('flock', [worker.lock, 'sleep', '60'], { stdio: 'ignore', detached: true });
  cleanUp(async () => void process.kill(-Number(holding.pid), 'SIGKILL'));
  await waitFor('the lock to be held', 10_000, () => spawnSync('flock', ['-n', worker.lock, 'true']).status === 1);
  const { pid } = await watch(home, 'exit 1');
  const children = (): string => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const waiter = await waitFor('what it waits by', 10_000, () => {
    const [child = ''] = children().split(' ');
    return child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').startsWith('flock') ? child : null;
  });
  expect(hasEnded(waiter)).toBe(false);
  process.kill(pid, 'SIGKILL');
  await waitFor('the end of both', 10_000, () => hasEnded(pid) && hasEnded(waiter));
});

test('where flock is missing it waits by Perl, and starts what is gone', async () => {
  const home = await temporaryHome();
  const { worker } = homePaths(home);
  writeFileSync(worker.lock, '');
  const holding = spawn('flock', [worker.lock, 'sleep', '60'], { stdio: 'ignore', detached: true });
  await waitFor('the lock to be held', 10_000, () => spawnSync('flock', ['-n', worker.lock, 'true']).status === 1);
  const { pid, starts } = await watch(
    home,
    `echo $$ > ${home}/pid; exec sleep 60`,
    pathWithout('flock', path.join(home, 'programs')),
  );
  const children = (): string => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  await waitFor('what it waits by', 10_000, () => children() !== '');
  expect(starts()).toEqual([]);
  process.kill(-Number(holding.pid), 'SIGKILL');
  const started = await waitFor('the start', 10_000, () =>
    existsSync(`${home}/pid`) ? readFileSync(`${home}/pid`, 'utf8').trim() || null : null,
  );
  process.kill(Number(started), 'SIGKILL');
});

test('it ends with the folder that it is for', async () => {
  const home = await temporaryHome();
  const { worker } = homePaths(home);
  writeFileSync(worker.lock, '');
  const { pid, starts } = await watch(home, 'exit 1');
  await waitFor('a start', 10_000, () => starts().length > 0);
  expect(hasEnded(pid)).toBe(false);
  rmSync(worker.lock);
  await waitFor('its end', 10_000, () => hasEnded(pid));
});

test('a worker in the foreground ends the watchdog of a worker before it', async () => {
  const home = await temporaryHome();
  const { worker, watchdog } = homePaths(home);
  const env = { PATH: process.env['PATH'] };
  const common = { env, cwd: home, argv: ['sleep', '60'] };
  (await startService({ ...common, paths: worker, fields: IN_FOREGROUND })).unref();
  (await startService({ ...common, paths: watchdog, fields: {} })).unref();
  await waitFor('both', 10_000, async () => existsSync(worker.holder) && (await watchdogPid(home)) !== null);
  await keepWatchdog({ ralphHome: home, env, signal: new AbortController().signal, onNote: () => {} });
  expect(await watchdogPid(home)).toBeNull();
});
