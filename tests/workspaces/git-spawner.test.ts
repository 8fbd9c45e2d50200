import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runLean, SpawnerLost, type LeanCommand, type LeanEnd } from '../../workspaces/git/git-spawner.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = tempFolder('git-spawner');
const env = { PATH: process.env['PATH'] ?? '' };

async function run(argv: string[], more: Partial<LeanCommand> = {}) {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const end = await runLean({
    argv,
    cwd: folder,
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

test('A command gets its arguments, its environment and its folder, and nothing of the helper', async () => {
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

async function abortOn(script: string): Promise<LeanEnd> {
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

test('Calls at once do not mix, and a helper that is killed costs its own call only', async () => {
  const lost = run(['sh', '-c', 'kill -9 $PPID; sleep 0.2']);
  const others = Array.from({ length: 6 }, async (_, n) =>
    (await run(['sh', '-c', `sleep 0.1; echo ${n}`])).out.toString(),
  );
  await expect(lost).rejects.toThrow(SpawnerLost);
  expect(await Promise.all(others)).toEqual(['0\n', '1\n', '2\n', '3\n', '4\n', '5\n']);
  expect((await run(['echo', 'on'])).out.toString()).toBe('on\n');
});

test('A helper whose worker is gone ends, with the command under way and all that it started', async () => {
  const helper = spawn('perl', [path.join('workspaces', 'git', 'git-spawner.pl')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const words = ['/', '', '', '0', 'sh', '-c', 'PATH=/usr/bin:/bin; sleep 985 & echo begun; sleep 985'];
  const text = Buffer.from(words.map((word) => `${word}\0`).join(''));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(text.length);
  helper.stdin.write(Buffer.concat([lengths, text]));
  await once(helper.stdout, 'data');
  // All that a SIGKILL leaves of a worker, seen from here.
  helper.stdin.destroy();
  await once(helper, 'exit');
  const left = await waitFor('the end of all that it started', 5_000, async () => {
    const pids = await sleepers('985');
    return pids.length === 0 ? { pids } : null;
  });
  expect(left.pids).toEqual([]);
});

async function sleepers(seconds: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLine(pid) === `sleep\0${seconds}\0`);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Ended meanwhile.
    return '';
  }
}
