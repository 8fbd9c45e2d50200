import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { findOnPath } from '../../system/processes/on-path.ts';
import { checkPaths } from '../../workspaces/records/run-paths.ts';
import { beganElsewhere } from '../support/began-elsewhere.ts';
import { checkGates } from '../support/check-gates.ts';
import { plainPrevious } from '../support/plain-request.ts';
import { pendingOf } from '../support/step-input.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  temporaryFolder,
  userRepository,
  type TestRun,
} from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);
const outside = tempFolder('outside-gates');

const started = (): Promise<TestRun> => startRun(userRepository({ 'a.txt': 'a\n' }));

test('a check that finished is taken as it is, unless the loop knows it already', async () => {
  const run = await started();
  const { done: first } = await checkGates(run, { gates: ['date +%N'] });
  expect(first).toMatchObject({ kind: 'checked', check: 1, gates: [{ exitCode: 0 }] });
  expect((await checkGates(run, { gates: ['date +%N'] })).done).toEqual(first);
  const { done: second } = await checkGates(run, { gates: ['date +%N'], afterCheck: 1 });
  expect(second).toMatchObject({ kind: 'checked', check: 2 });
  expect((await checkGates(run, { gates: ['true'], afterCheck: 6 })).done).toMatchObject({ check: 7 });
});

test('a check of another commit is not taken for one of this', async () => {
  const run = await started();
  await checkGates(run, { gates: ['true'] });
  const { commit } = await run.round('echo b > b.txt');
  const { done } = await checkGates(run, { gates: ['test -f b.txt'], commit });
  expect(done).toMatchObject({ kind: 'checked', check: 2, commit, gates: [{ command: 'test -f b.txt' }] });
});

test('a setup that fails on the clean checkout before round 1 ends the run, with what it said and the way out', async () => {
  const run = await started();
  const { done } = await checkGates(run, { setup: 'echo no such host >&2; exit 7', gates: ['true'], round: 0 });
  expect(done).toMatchObject({ kind: 'failed', fault: { code: 'setup-failed' } });
  expect(JSON.stringify(done)).toMatch(/exits 7 on the clean checkout.*It said: no such host\. .*--gate-in-place/);
});

test('gates run on the commit that was asked for, see nothing else of the run and cannot write to its tree', async () => {
  const run = await started();
  const { commit } = await run.round('echo b > b.txt');
  await run.round('echo c > c.txt');
  const gate = `ls -A | tr '\\n' ' '; git rev-parse HEAD; pwd; ls ${run.paths.root}; touch ${run.paths.tree}/x 2>/dev/null && echo outside`;
  const { done } = await checkGates(run, { gates: [gate], commit });
  if (done.kind !== 'checked') throw new Error(done.fault.message);
  const lines = done.gates[0]?.output.split('\n') ?? [];
  expect(lines.slice(0, 3)).toEqual([`.git a.txt b.txt ${commit}`, run.paths.check, 'check']);
  expect(lines).not.toContain('tree');
  expect(lines).not.toContain('outside');
});

test.each([true, false])('setup and gates have the sandbox of the run, where its network is %s', async (network) => {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const connect = `require("net").connect(${port}, "127.0.0.1")`;
  const reach = `node -e '${connect}.on("connect", () => { console.log("reached"); process.exit() }).on("error", () => process.exit())'`;
  const tries = (name: string): string => `touch '${outside}/${name}' 2>/dev/null && echo wrote; ${reach}`;
  try {
    const { request, ...run } = await started();
    const sandboxed = { ...run, request: { ...request, sandbox: { ...request.sandbox, network } } };
    const { done } = await checkGates(sandboxed, { setup: tries('setup'), gates: [tries('gate')] });
    if (done.kind !== 'checked') throw new Error(done.fault.message);
    const said = network ? 'reached' : '';
    expect(done.gates.map(({ output }) => output)).toEqual([said]);
    expect(readFileSync(checkPaths(run.paths, 1, 1).step(0).transcript, 'utf8').trim()).toBe(said);
    expect(readdirSync(outside)).toEqual([]);
  } finally {
    server.close();
  }
});

test('what gates print is redacted, in what is returned and on disk', async () => {
  const run = await started();
  const { done } = await checkGates(run, {
    gates: ['echo correct-horse-battery; echo correct-horse-battery >&2; exit 1'],
  });
  expect(JSON.stringify(done)).not.toContain('correct-horse-battery');
  expect(shell(run.paths.root, 'grep -rl correct-horse-battery rounds || true')).toBe('');
  expect(done).toMatchObject({ gates: [{ output: '[redacted: A_KEY]\n[redacted: A_KEY]' }] });
});

test('beside a gate that may still run nothing starts, and it is not written off', async () => {
  const run = await started();
  await run.round('true');
  const lost = checkPaths(run.paths, 1, 1).step(1);
  beganElsewhere(lost);
  const { done } = await checkGates(run, { gates: ['true'] });
  expect(done).toMatchObject({ kind: 'failed', fault: { code: 'disposal-unproved' } });
  expect(existsSync(lost.outcome)).toBe(false);
  expect(existsSync(run.paths.check)).toBe(false);
});

test('a gate whose worker was lost before it started is closed, and the check is done anew once the loop knows', async () => {
  const run = await started();
  await run.round('true');
  const lost = checkPaths(run.paths, 1, 1);
  for (const step of [1, 2]) mkdirSync(lost.step(step).home, { recursive: true });
  const gates = ['true', 'true'];
  await expect(checkGates(run, { gates })).rejects.toThrow('lost: 1');
  const { done } = await checkGates(run, { gates, afterCheck: 1 });
  expect(done).toMatchObject({ kind: 'checked', check: 2 });
  expect(readdirSync(lost.step(2).root).toSorted()).toEqual(['fence.json', 'outcome.json']);
});

test('a follower is told of the setup and of every gate', async () => {
  const run = await started();
  const { beats, done } = await checkGates(run, { setup: 'sleep 1.2', gates: ['sleep 1.3', 'true'], round: 0 });
  expect(done).toMatchObject({ kind: 'checked', round: 0, gates: [{ command: 'sleep 1.3' }, { command: 'true' }] });
  const told = beats.map(({ what, round, check: number, activity }) => [what, round, number, activity]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['gates', 0, 1, 'sleep 1.2'],
      ['gates', 0, 1, 'sleep 1.3'],
    ]),
  );
});

test('where protected paths differ nothing is started: no setup, no gate, and the paths are named', async () => {
  const run = await startRun(userRepository({ 'a.txt': 'a\n', 'tests/a.test': 'hard\n' }));
  const policy = { protect: ['tests/**'] };
  const asked = { setup: 'echo ran-mark', gates: ['echo ran-mark'], policy };
  const marks = (): string => shell(run.paths.root, 'grep -rlx ran-mark rounds || true');
  const { commit } = await run.round('echo easy > tests/a.test');
  const { done, beats } = await checkGates(run, { ...asked, commit });
  expect(done).toMatchObject({ kind: 'checked', gates: [], protectedPaths: ['tests/a.test'] });
  expect(marks()).toBe('');
  expect(readdirSync(checkPaths(run.paths, 1, 1).root)).toEqual(['check.json']);
  expect(beats.filter(({ activity }) => activity !== null)).toEqual([]);
  await checkGates(run, { ...asked, afterCheck: 1 });
  expect(marks().split('\n').toSorted()).toEqual(
    [0, 1].map((step) => `rounds/1/gates-2/step-${step}/transcript.jsonl`),
  );
});

test('a claim of the run before is checked as any claim is: protected paths count, and the first red command ends it', async () => {
  const plain = await startRun(userRepository({ 'a.txt': 'a\n', 'tests/a.test': 'hard\n' }));
  const { commit } = await plain.round('echo b > a.txt');
  const run = { ...plain, request: { ...plain.request, previous: plainPrevious('before', commit) } };
  const asked = { gates: ['false', 'true'], round: 0, commit, pending: pendingOf('before', 2) };
  expect((await checkGates(run, asked)).done).toMatchObject({ kind: 'checked', check: 1, gates: [{ exitCode: 1 }] });
  const setup = { ...asked, setup: 'exit 7', afterCheck: 1 };
  expect((await checkGates(run, setup)).done).toMatchObject({
    kind: 'checked',
    gates: [{ isSetup: true, exitCode: 7 }],
  });
  const easy = await plain.round('echo easy > tests/a.test');
  const protecting = { ...asked, policy: { protect: ['tests/**'] }, commit: easy.commit, afterCheck: 2 };
  expect((await checkGates(run, protecting)).done).toMatchObject({ gates: [], protectedPaths: ['tests/a.test'] });
  // Of a baseline all commands are run, and nothing is protected yet.
  const baseline = await checkGates(plain, { ...protecting, pending: null, afterCheck: 3 });
  expect(baseline.done).toMatchObject({ gates: [{ exitCode: 1 }, { exitCode: 0 }], protectedPaths: [] });
});

test('where the sandbox cannot be had no gate runs, and the way out is told', async () => {
  const { paths, request, ...run } = await started();
  const programs = temporaryFolder();
  for (const name of ['git', 'perl']) symlinkSync(findOnPath(name, process.env.PATH) ?? '', join(programs, name));
  const searchPath = process.env.PATH;
  process.env.PATH = programs;
  try {
    // Not tried before in this process: what works is remembered.
    const sandbox = { ...request.sandbox, network: false };
    const { done } = await checkGates({ ...run, paths, request: { ...request, sandbox } }, { gates: ['true'] });
    expect(done).toMatchObject({ kind: 'failed', fault: { code: 'workspace-broken' } });
    expect(JSON.stringify(done)).toContain('no bwrap on PATH');
    expect(existsSync(paths.check)).toBe(false);
  } finally {
    process.env.PATH = searchPath;
  }
});

test('a commit that is not there ends the run with what is wrong', async () => {
  const run = await started();
  const { done } = await checkGates(run, { gates: ['true'], commit: '1'.repeat(40) });
  expect(done).toMatchObject({ kind: 'failed', fault: { code: 'workspace-broken' } });
  expect(JSON.parse(readFileSync(checkPaths(run.paths, 1, 1).record, 'utf8'))).toEqual(done);
});

test('a check that is cancelled while what was lost is recovered leaves nothing that is charged', async () => {
  const run = await started();
  await run.round('true');
  await expect(checkGates(run, { gates: ['true'], cancelled: true })).rejects.toThrow('CANCELLED');
  expect(existsSync(checkPaths(run.paths, 1, 1).root)).toBe(false);
});
