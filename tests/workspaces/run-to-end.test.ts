import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runToEnd, type Command, type End } from '../../workspaces/git/run-to-end.ts';
import { buildWorkspaces } from './build-workspaces.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = tempFolder('run-to-end');
const env = { PATH: process.env['PATH'] ?? '' };

async function run(argv: [string, ...string[]], more: Partial<Command> = {}) {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const end = await runToEnd({
    argv,
    cwd: folder,
    as: null,
    env,
    stdin: { bytes: Buffer.alloc(0) },
    stdoutFile: null,
    onStdout: (bytes) => out.push(Buffer.from(bytes)),
    onStderr: (bytes) => err.push(Buffer.from(bytes)),
    signal: new AbortController().signal,
    ...more,
  });
  return { end, out: Buffer.concat(out), err: Buffer.concat(err).toString() };
}

test('A command gets its arguments, its environment and its folder, and no file of this process', async () => {
  const script =
    'pwd; printf "%s|" "$@"; env | grep -vE "^(PWD|SHLVL|_|OLDPWD)=" | sort -r; for fd in 0 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$fd ] && echo $fd; done; true';
  const { end, out } = await run(['sh', '-c', script, 'sh', '', 'two words', 'Ä\n=', ''], {
    env: { ...env, X: 'a=b' },
  });
  expect(end).toEqual({ code: 0, signal: null });
  expect(out.toString()).toBe(`${folder}\n|two words|Ä\n=||X=a=b\nPATH=${env.PATH}\n0\n2\n`);
});

test('Megabytes go in and come out whole, at the same time, through pipes and files', async () => {
  const bytes = Buffer.alloc(5_000_000, 'all bytes \0\n\xff', 'latin1');
  expect((await run(['cat'], { stdin: { bytes } })).out.equals(bytes)).toBe(true);
  const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
  writeFileSync(from, bytes);
  writeFileSync(to, '');
  const { out } = await run(['cat'], { stdin: { file: from }, stdoutFile: to });
  expect([out.length, readFileSync(to).equals(bytes)]).toEqual([0, true]);
});

test('Exit codes, signals and what stands on stderr are told; a command that reads nothing is no error', async () => {
  const stdin = { bytes: Buffer.alloc(1_000_000) };
  const { end, err } = await run(['sh', '-c', 'echo no >&2; exit 7'], { stdin });
  expect([end, err]).toEqual([{ code: 7, signal: null }, 'no\n']);
  expect((await run(['sh', '-c', 'kill -9 $$'])).end).toEqual({ code: null, signal: 'SIGKILL' });
});

test('A program, a folder or a file that is missing is told by the code of the system', async () => {
  await expect(run(['no-such-program'])).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(run(['true'], { cwd: path.join(folder, 'missing') })).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(run(['true'], { stdin: { file: path.join(folder, 'missing') } })).rejects.toMatchObject({
    code: 'ENOENT',
  });
});

test('An aborted command dies with all that it started', async () => {
  const kill = new AbortController();
  const begun = run(['sh', '-c', 'sleep 987 & echo begun; sleep 987'], {
    signal: kill.signal,
    onStdout: () => kill.abort(),
  });
  expect((await begun).end).toEqual({ code: null, signal: 'SIGTERM' });
  expect(await sleepers('987')).toEqual([]);
});

async function abortOn(script: string): Promise<End> {
  const kill = new AbortController();
  return (await run(['sh', '-c', script], { signal: kill.signal, onStdout: () => kill.abort() })).end;
}

test('An aborted command has a second to put things in order, and no more', async () => {
  const tidy = path.join(folder, 'tidy');
  expect(await abortOn(`trap 'touch ${tidy}; exit 3' TERM; echo; while :; do sleep 0.02; done`)).toMatchObject({
    code: 3,
  });
  expect(existsSync(tidy)).toBe(true);
  expect(await abortOn(`trap '' TERM; echo; while :; do sleep 0.02; done`)).toEqual({ code: null, signal: 'SIGKILL' });
});

test('Several programs at once do not mix', async () => {
  const all = Array.from({ length: 6 }, async (_, n) =>
    (await run(['sh', '-c', `sleep 0.1; echo ${n}`])).out.toString(),
  );
  expect(await Promise.all(all)).toEqual(['0\n', '1\n', '2\n', '3\n', '4\n', '5\n']);
});

test('A program does not outlive the process that runs it', async () => {
  const build = buildWorkspaces();
  try {
    const module = path.join(build.folder, 'workspaces', 'git', 'run-to-end.js');
    const script = `import(${JSON.stringify(module)}).then(({ runToEnd }) => runToEnd({
      argv: ['sleep', '985'], cwd: '/', as: null, env: { PATH: process.env.PATH }, stdin: { bytes: Buffer.alloc(0) },
      stdoutFile: null, onStdout() {}, onStderr() {}, signal: new AbortController().signal }))`;
    const worker = spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
    await waitFor('the program', 10_000, async () => ((await sleepers('985')).length === 1 ? true : null));
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    const left = await waitFor('its end', 5_000, async () => ((await sleepers('985')).length === 0 ? 'nothing' : null));
    expect(left).toBe('nothing');
  } finally {
    build.remove();
  }
});

async function sleepers(seconds: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLine(pid).endsWith(`sleep\0${seconds}\0`));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Ended meanwhile.
    return '';
  }
}
