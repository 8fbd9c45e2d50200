import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { homePaths } from '../../host/home-paths.ts';
import { keepReserve, releaseReserve, RESERVE_BYTES, takeReserve } from '../../host/reserve.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const home = tempFolder('reserve');
const { reserve } = homePaths(home);

test('the reserve is taken once, is for its user alone, and stays while there is room', async () => {
  await takeReserve(home);
  const files = readdirSync(reserve);
  expect(files.reduce((bytes, name) => bytes + readFileSync(path.join(reserve, name)).length, 0)).toBe(RESERVE_BYTES);
  writeFileSync(path.join(reserve, 'mark'), '');
  await takeReserve(home);
  expect(existsSync(path.join(reserve, 'mark'))).toBe(true);
  expect(await releaseReserve(home)).toBe(false);
  expect(readdirSync(home)).toEqual(['reserve']);
});

test('it is kept until it is no longer wanted', async () => {
  const kept = path.join(home, 'kept');
  mkdirSync(kept);
  const stop = new AbortController();
  const keeping = keepReserve(kept, stop.signal);
  await waitFor('the reserve', 10_000, () => existsSync(homePaths(kept).reserve));
  stop.abort();
  await expect(keeping).resolves.toBeUndefined();
});

test('what a killed worker left half taken is taken anew', async () => {
  const half = path.join(home, 'half');
  mkdirSync(`${homePaths(half).reserve}.new`, { recursive: true });
  await takeReserve(half);
  expect(readdirSync(half)).toEqual(['reserve']);
  expect(execFileSync('stat', ['-c', '%a', homePaths(half).reserve], { encoding: 'utf8' })).toBe('700\n');
});
