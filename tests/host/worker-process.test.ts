import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type StartedFence, thisHost } from '../../agents/containment/dispose/fence.ts';
import { homePaths } from '../../host/home-paths.ts';
import { ensureWorker, stopWorker, workerState, workUnderWay } from '../../host/worker-process/worker-process.ts';
import type { WorkerRecord } from '../../host/worker-process/worker-record.ts';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { cleanUp } from '../fixtures/host/clean-up.ts';
import { eventually } from '../fixtures/host/eventually.ts';
import { inProcess } from '../fixtures/host/in-process.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const entry = fileURLToPath(new URL('../fixtures/host/worker.mjs', import.meta.url));
const temporal = { source: 'embedded', address: 'a:1', namespace: 'default' } as const;
const asked = {
  ANTHROPIC_API_KEY: 'of the shell',
  PATH: process.env['PATH'],
  TZ: 'UTC',
  TEMPORAL_CONFIG_FILE: 'my.toml',
};

const ensure = (ralphHome: string, env = asked): Promise<WorkerRecord> =>
  ensureWorker({ ralphHome, env, entry, temporal, onNote: (note) => notes.push(note) });

const notes: string[] = [];

const recorded = { rounds: 1, objective: 'o', summary: 's', transcript: '', ended: false };

/** The fence of an attempt that this worker has under way. */
const fenceOf = ({ pid, startTime }: WorkerRecord): StartedFence => ({
  kind: 'started',
  mechanism: 'process-group',
  host: thisHost(),
  worker: { pid, startTime },
  container: [],
  marker: null,
  endFile: null,
  tempFolder: null,
  at: new Date().toISOString(),
});

/** A home whose env file says these. */
async function homeWith(lines: string): Promise<string> {
  const home = await temporaryHome();
  await writeFile(`${home}/env`, lines, { mode: 0o600 });
  return home;
}

const seenBy = async (home: string): Promise<unknown> => JSON.parse(await readFile(`${home}/seen.json`, 'utf8'));

async function killAndWait(home: string, pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await eventually(async () => (await workerState(home)).kind === 'down');
}

test('it is started once, found again, and ends when asked', async () => {
  const home = await temporaryHome();
  expect(await workerState(home)).toEqual({ kind: 'down' });
  const worker = await ensure(home);
  expect(await ensure(home)).toEqual(worker);
  expect(await workerState(home)).toEqual({ ...worker, kind: 'ready' });
  expect(await stopWorker(home)).toEqual({ kind: 'stopped', pid: worker.pid, forced: false });
  expect(await workerState(home)).toEqual({ kind: 'down' });
  expect(await stopWorker(home)).toEqual({ kind: 'not-running' });
});

test('five commands at the same moment start one worker', async () => {
  const home = await temporaryHome();
  const how = { ralphHome: home, entry, temporal };
  const calls = Array.from({ length: 5 }, () => inProcess('worker-process/worker-process', 'ensureWorker', how));
  const workers = await Promise.all(calls.map(({ returned }) => returned));
  expect(new Set(workers.map((worker) => JSON.stringify(worker))).size).toBe(1);
  expect(await readFile(`${home}/starts`, 'utf8')).toBe(`${(await ensure(home)).pid}\n`);
});

test('killed with -9 it is started again, also while something that it started lives on', async () => {
  const home = await homeWith('STAND_IN=orphan');
  const first = await ensure(home);
  const orphan = Number(await readFile(`${home}/orphan`, 'utf8'));
  cleanUp(async () => process.kill(orphan, 'SIGKILL'));
  await killAndWait(home, first.pid);
  process.kill(orphan, 0);
  expect((await ensure(home)).pid).not.toBe(first.pid);
  cleanUp(async () => process.kill(Number(await readFile(`${home}/orphan`, 'utf8')), 'SIGKILL'));
});

test('one that is ending is not taken for one that works: the next is waited for', async () => {
  const home = await homeWith('STAND_IN=linger');
  const first = await ensure(home);
  process.kill(first.pid, 'SIGTERM');
  await eventually(async () => (await workerState(home)).kind !== 'ready');
  expect((await ensure(home)).pid).not.toBe(first.pid);
});

test('in the background it has the machine and what RALPH_HOME/env says, and no key of the shell that asked first', async () => {
  const home = await homeWith("# for agents\nOPENAI_API_KEY='of the file'\n");
  await ensure(home);
  const seen = await seenBy(home);
  expect(seen).toEqual({
    PATH: asked.PATH,
    TZ: 'UTC',
    TEMPORAL_CONFIG_FILE: `${process.cwd()}/my.toml`,
    OPENAI_API_KEY: 'of the file',
    RALPH_HOME: home,
    // Not handed on to agents: it keeps the worker small.
    MALLOC_ARENA_MAX: '2',
  });
});

test('in the foreground it has its own environment, completed by RALPH_HOME/env; signals and exit code pass', async () => {
  const home = await homeWith('OPENAI_API_KEY=of the file\nANTHROPIC_API_KEY=of the file\n');
  const { child, returned } = inProcess(
    'worker-process/worker-process',
    'runWorker',
    { ralphHome: home, entry },
    { ...process.env, ...asked },
  );
  await eventually(async () => (await workerState(home)).kind === 'ready');
  expect(await seenBy(home)).toMatchObject({ OPENAI_API_KEY: 'of the file', ANTHROPIC_API_KEY: 'of the shell' });
  const second = inProcess('worker-process/worker-process', 'runWorker', { ralphHome: home, entry });
  await expect(second.returned).rejects.toThrow(/is already running \(pid \d+\)/);
  child.kill('SIGTERM');
  expect(await returned).toBe(7);
});

test('an env file that others can read is refused with the way out, and nothing is started', async () => {
  const home = await homeWith('K=v');
  await chmod(`${home}/env`, 0o644);
  await expect(ensure(home)).rejects.toMatchObject({ code: 'env-file-not-private', exit: 2 });
  expect(await workerState(home)).toEqual({ kind: 'down' });
});

test('one that ends before it is ready says why, and where its log is', async () => {
  const home = await homeWith('STAND_IN=crash');
  await expect(ensure(home)).rejects.toMatchObject({
    code: 'worker-not-started',
    message: expect.stringMatching(/Its last output: no room for a worker Its log is .*logs\/worker\.log/),
  });
});

test('one that serves an embedded server that has moved is started anew; one that serves another Temporal is left alone', async () => {
  const home = await homeWith('ADDRESS=old:1');
  const how = { ralphHome: home, env: asked, entry, onNote: () => {} };
  const old = await ensureWorker({ ...how, temporal: { ...temporal, address: 'old:1' } });
  const external = ensureWorker({ ...how, temporal: { source: 'external', address: 'cloud:7233', namespace: 'prod' } });
  await expect(external).rejects.toMatchObject({
    code: 'worker-elsewhere',
    message: expect.stringMatching(/old:1.*cloud/),
  });
  await writeFile(`${home}/env`, 'ADDRESS=new:1');
  const moved = await ensureWorker({ ...how, temporal: { ...temporal, address: 'new:1' } });
  expect(moved.pid).not.toBe(old.pid);
});

test('one of another version is replaced while no round is under way, and else left at it with a note', async () => {
  const home = await homeWith('VERSION=0.0.0-old');
  const old = await ensure(home);
  const { fence } = attemptPaths(runPaths(home, 'a-run'), 1, 1);
  await mkdir(path.dirname(fence), { recursive: true });
  await writeFile(fence, JSON.stringify(fenceOf(old)));
  notes.length = 0;
  expect(await ensure(home)).toEqual(old);
  expect(notes).toEqual([expect.stringMatching(/0\.0\.0-old and this is version \d.*\(now: a-run\)/)]);
  await writeFile(`${home}/env`, '');
  await rm(fence);
  const replaced = await ensure(home);
  expect(replaced.pid).not.toBe(old.pid);
  expect(replaced.version).not.toBe(old.version);
});

test('one of another version that runs in a terminal is left to whoever sits there', async () => {
  const home = await homeWith('VERSION=0.0.0-old');
  const { child, returned } = inProcess('worker-process/worker-process', 'runWorker', { ralphHome: home, entry });
  await eventually(async () => (await workerState(home)).kind === 'ready');
  notes.length = 0;
  await ensure(home);
  expect(notes).toEqual([expect.stringMatching(/it runs in a terminal/)]);
  child.kill('SIGTERM');
  await returned;
});

test('a worker that ends has the grace period of its agents, beside its own time', async () => {
  const home = await temporaryHome();
  const worker = await ensure(home);
  const run = runPaths(home, 'a-run');
  await recordRun({ ...recorded, home, runId: 'a-run' });
  await rm(attemptPaths(run, 1, 1).outcome);
  expect(await workUnderWay(home)).toEqual({ runs: [], graceMs: 0 });
  await writeFile(attemptPaths(run, 1, 1).fence, JSON.stringify(fenceOf(worker)));
  expect(await workUnderWay(home)).toEqual({ runs: ['a-run'], graceMs: 10_000 });
});

test('after a reboot, or when its pid was given to another, it counts as gone', async () => {
  const home = await temporaryHome();
  await ensure(home);
  const { holder } = homePaths(home).worker;
  const written: unknown = JSON.parse(await readFile(holder, 'utf8'));
  for (const other of [{ bootId: 'another' }, { startTime: '1' }]) {
    await writeFile(holder, JSON.stringify(Object.assign({}, written, other)));
    expect(await workerState(home)).toEqual({ kind: 'down' });
  }
  await writeFile(holder, JSON.stringify(written));
  expect(await workerState(home)).toMatchObject({ kind: 'ready' });
});

test('a worker that was started past the lock refuses to work', async () => {
  const home = await temporaryHome();
  const env = { ...process.env, RALPH_HOME: home };
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/does not hold the worker lock/);
});

test.each([
  ['a line that is no assignment', 'A=1\nGEMINI_API_KEY: foo\nB=2\n', 2],
  ['a line behind a value of several lines', '# keys\n\nexport A="1\n2\n" # end\nB\n', 6],
])('an env file with %s is refused with its number and without its text', async (_what, lines, number) => {
  const home = await homeWith(lines);
  const started = ensure(home);
  await expect(started).rejects.toMatchObject({ code: 'env-file-broken', exit: 2 });
  await expect(started).rejects.toThrow(`Line ${number} of ${home}/env`);
  await expect(started).rejects.not.toThrow('GEMINI');
  expect(await workerState(home)).toEqual({ kind: 'down' });
});

test('an env file with comments, quotes, blanks and an exported name is read', async () => {
  const home = await homeWith("# a: b\n\n export A = 'x=\ny: z'\nB='it\nC=\"3\" # three\nD=\n");
  await ensure(home);
  expect(await seenBy(home)).toMatchObject({ A: 'x=\ny: z', C: '3', D: '' });
});
