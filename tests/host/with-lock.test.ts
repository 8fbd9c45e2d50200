import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { withLock } from '../../host/locks/with-lock.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('with-lock');

test('one after the other: what asks meanwhile waits, and goes on when the first is done', async () => {
  const file = join(folder, 'a.lock');
  const order: string[] = [];
  let second: Promise<unknown> = Promise.resolve();
  await withLock(file, async () => {
    second = withLock(file, () => Promise.resolve(order.push('second')));
    expect(await withLock(file, () => Promise.resolve(order.push('impatient')), 1)).toBeNull();
    order.push('first');
  });
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('work that fails gives the lock back', async () => {
  const file = join(folder, 'b.lock');
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(file, () => Promise.resolve(1), 1)).toEqual({ done: 1 });
});

test('it is the kernel’s: another process is kept out, and one that is killed leaves no lock behind', async () => {
  const file = join(folder, 'c.lock');
  const script = 'exec 3>>"$0"; flock -n -E 75 3 || exit; echo in; exec sleep 60';
  const other = () => spawn('bash', ['-c', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  await withLock(file, async () => {
    expect(await once(other(), 'close')).toEqual([75, null]);
  });
  const holder = other();
  await once(holder.stdout, 'data');
  expect(await withLock(file, () => Promise.resolve(1), 1)).toBeNull();
  holder.kill('SIGKILL');
  expect(await withLock(file, () => Promise.resolve(1), 10)).toEqual({ done: 1 });
});
