import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { homePaths } from '../../host/home-paths.ts';
import { ralph, scratch, type Scratch } from '../cli/support/ralph.ts';
import { hasEnded } from '../support/survivors.ts';
import { waitFor } from '../support/wait-for.ts';
import { ask, bearer, served } from './support/served.ts';

let place: Scratch;
beforeEach(async () => {
  place = await scratch();
});
afterEach(() => place.remove());

test('there is one page per RALPH_HOME: whoever asks next finds it, at the same address', async () => {
  const [first, second] = await Promise.all([served(place.home), served(place.home)]);
  expect(second).toEqual(first);
  expect(await served(place.home)).toEqual(first);
});

test('two RALPH_HOMEs have two pages, and the token of one opens nothing of the other', async () => {
  const other = await scratch();
  try {
    const [mine, theirs] = [await served(place.home), await served(other.home)];
    expect(theirs.port).not.toBe(mine.port);
    expect((await ask(theirs, { path: '/api/runs', headers: bearer(mine) })).status).toBe(401);
  } finally {
    await other.remove();
  }
});

test('each start has a new token of 32 bytes, which only this user can read and no command line shows', async () => {
  const first = await served(place.home);
  expect(Buffer.from(first.token, 'base64url')).toHaveLength(32);
  expect(statSync(homePaths(place.home).page.ready).mode & 0o777).toBe(0o600);
  for (const file of ['cmdline', 'environ'])
    expect(readFileSync(`/proc/${first.pid}/${file}`, 'utf8')).not.toContain(first.token);
  expect(readFileSync(homePaths(place.home).page.log, 'utf8')).not.toContain(first.token);
  expect((await ralph(['ui', '--stop'], { home: place.home })).stdout).toBe('Page stopped.\n');
  const second = await served(place.home);
  expect(second.token).not.toBe(first.token);
  expect(second.port).toBe(first.port);
  expect((await ask(second, { path: '/api/runs', headers: bearer(first) })).status).toBe(401);
});

test('`ralph down` ends it, and the old address is worth nothing', async () => {
  const page = await served(place.home);
  expect((await ralph(['down'], { home: place.home })).stdout).toContain('Page stopped.');
  expect(hasEnded(page.pid)).toBe(true);
  expect(existsSync(homePaths(place.home).page.ready)).toBe(false);
  await expect(ask(page, { path: '/', headers: bearer(page) })).rejects.toThrow('ECONNREFUSED');
});

test('`ralph status` and `ralph doctor` name it without its token', async () => {
  const page = await served(place.home);
  for (const command of ['status', 'doctor']) {
    const { stdout } = await ralph([command], { home: place.home });
    expect(stdout).toContain(page.origin);
    expect(stdout).not.toContain(page.token);
  }
});

test('a page that was killed is replaced by the next `ralph ui`', async () => {
  const first = await served(place.home);
  process.kill(first.pid, 'SIGKILL');
  await waitFor('the end of the page', 10_000, () => hasEnded(first.pid));
  expect((await ralph(['status'], { home: place.home })).stdout).toContain('down; `ralph ui` starts it');
  const second = await served(place.home);
  expect(second.pid).not.toBe(first.pid);
});

test('a page that was stopped by a signal is replaced', async () => {
  const first = await served(place.home);
  process.kill(first.pid, 'SIGSTOP');
  expect((await served(place.home)).pid).not.toBe(first.pid);
  expect(hasEnded(first.pid)).toBe(true);
});

test('a port that is taken is passed over, and refused where it was asked for', async () => {
  const usual = await served(place.home);
  await ralph(['ui', '--stop'], { home: place.home });
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(usual.port, '127.0.0.1', resolve));
  try {
    const asked = await ralph(['ui', '--port', String(usual.port)], { home: place.home });
    expect(asked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Port ${usual.port} of 127.0.0.1 is taken.`),
    });
    expect((await served(place.home)).port).not.toBe(usual.port);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

test('--port moves the page', async () => {
  const first = await served(place.home);
  const second = await served(place.home, '--port', String(first.port + 1));
  expect(second.port).toBe(first.port + 1);
  expect(hasEnded(first.pid)).toBe(true);
});

test('an agent inside of a round gets no address', async () => {
  const { code, stderr } = await ralph(['ui'], { home: place.home, env: { RALPH_RUN: 'widgets' } });
  expect(code).toBe(2);
  expect(stderr).toContain('is not for agents');
});
