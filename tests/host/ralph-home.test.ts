import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hostId } from '../../host/keys/host-id.ts';
import { homePaths } from '../../host/home-paths.ts';
import { payloadKey } from '../../host/keys/payload-key.ts';
import { resolveRalphHome } from '../../host/ralph-home.ts';
import { taskQueues } from '../../host/task-queues.ts';
import { inProcess } from '../fixtures/host/in-process.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o7777;

test('RALPH_HOME wins over XDG_STATE_HOME, and that over the home folder', async () => {
  const base = await temporaryHome();
  const env = { RALPH_HOME: `${base}/a/b`, XDG_STATE_HOME: `${base}/xdg`, HOME: `${base}/user` };
  expect(await resolveRalphHome(env)).toBe(`${base}/a/b`);
  expect(await resolveRalphHome({ ...env, RALPH_HOME: '' })).toBe(`${base}/xdg/ralph`);
  expect(await resolveRalphHome({ HOME: env.HOME })).toBe(`${base}/user/.local/state/ralph`);
  expect(await resolveRalphHome({ XDG_STATE_HOME: 'relative', HOME: env.HOME })).toBe(
    `${base}/user/.local/state/ralph`,
  );
});

test('it is made for its owner alone', async () => {
  const home = await resolveRalphHome({ RALPH_HOME: path.join(await temporaryHome(), 'new') });
  expect(await modeOf(home)).toBe(0o700);
});

test('a symlink to it is followed: one home, one name', async () => {
  const base = await temporaryHome();
  await mkdir(`${base}/real`, { mode: 0o700 });
  await symlink(`${base}/real`, `${base}/link`);
  expect(await resolveRalphHome({ RALPH_HOME: `${base}/link` })).toBe(`${base}/real`);
});

test.each([os.tmpdir(), '/tmp/x/y', '/var/tmp/ralph', '/dev/shm/ralph', '/tmp/../tmp/z'])(
  'one under a temp folder is refused, and not made: %s',
  async (home) => {
    await expect(resolveRalphHome({ RALPH_HOME: home })).rejects.toMatchObject({ code: 'home-in-temp', exit: 2 });
  },
);

test('one that a symlink leads into a temp folder is refused', async () => {
  const base = await temporaryHome();
  const name = path.basename(base);
  await symlink(os.tmpdir(), `${base}/sneaky`);
  const sneaky = resolveRalphHome({ RALPH_HOME: `${base}/sneaky/${name}/x` });
  await expect(sneaky).rejects.toMatchObject({ code: 'home-in-temp' });
  await expect(stat(path.join(os.tmpdir(), name))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a relative one, one that others can enter, and one that is a file are refused with the way out', async () => {
  const base = await temporaryHome();
  await expect(resolveRalphHome({ RALPH_HOME: 'here' })).rejects.toMatchObject({ code: 'home-not-absolute' });
  await mkdir(`${base}/open`);
  await chmod(`${base}/open`, 0o750);
  await expect(resolveRalphHome({ RALPH_HOME: `${base}/open` })).rejects.toThrow(`0750; it holds`);
  await writeFile(`${base}/file`, '');
  await expect(resolveRalphHome({ RALPH_HOME: `${base}/file` })).rejects.toMatchObject({ code: 'home-unusable' });
});

test('one that cannot be made in a folder that is there is refused at once', async () => {
  const proc = resolveRalphHome({ RALPH_HOME: '/proc/nothing/ralph' });
  await expect(proc).rejects.toMatchObject({ code: 'home-unusable', message: expect.stringContaining('no such file') });
});

test.each([
  ['keys/payload-key', 'payloadKey', /^[0-9a-f]{64}$/],
  ['keys/host-id', 'hostId', /^[a-z0-9]{16}$/],
])('eight processes that make the %s at the same moment get the same one', async (module, name, shape) => {
  const home = await temporaryHome();
  const made = await Promise.all(Array.from({ length: 8 }, () => inProcess(module, name, home).returned));
  expect(new Set(made).size).toBe(1);
  expect(made[0]).toMatch(shape);
});

test('key and id lie in files of mode 0600, and a damaged one is refused, never made anew', async () => {
  const home = await temporaryHome();
  const { payloadKey: keyFile, hostId: idFile } = homePaths(home);
  await payloadKey(home);
  await hostId(home);
  expect([await modeOf(keyFile), await modeOf(idFile)]).toEqual([0o600, 0o600]);
  await writeFile(keyFile, '');
  await writeFile(idFile, 'UPPER');
  await expect(payloadKey(home)).rejects.toMatchObject({ code: 'home-file-broken' });
  await expect(hostId(home)).rejects.toMatchObject({ code: 'home-file-broken' });
});

test('workflows have a queue per key, rounds and short steps queues per host', () => {
  const queues = taskQueues({ key: Buffer.alloc(32), hostId: 'abcdefgh01234567' });
  expect(queues).toEqual({
    workflows: 'ralph-2-66687aadf862',
    oldWorkflows: 'ralph-66687aadf862',
    steps: 'ralph-host-abcdefgh01234567',
    rounds: 'ralph-host-abcdefgh01234567-rounds',
  });
  expect(taskQueues({ key: Buffer.alloc(32, 1), hostId: 'x' }).workflows).not.toBe(queues.workflows);
});
