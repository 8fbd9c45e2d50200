import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { endless, reporting } from './support/agents.ts';
import { makeRepository } from './support/repository.ts';
import { type Ended, ralph, type Scratch, scratch, start } from './support/ralph.ts';
import { tagged } from './support/tagged.ts';
import { waitFor } from '../support/wait-for.ts';

const MARK = `9${process.hrtime.bigint() % 1_000_000_000n}`;
const PRELOAD = pathToFileURL(path.join(process.cwd(), 'tests/fixtures/host/not-linux.mjs')).href;

let place: Scratch;
let repository: string;
let env: Record<string, string>;
let worker: ChildProcess;
const here = (...args: string[]): Promise<Ended> => ralph(args, { home: place.home, cwd: repository, env });

beforeAll(async () => {
  place = await scratch();
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'first\n' });
  const programs = path.join(place.folder, 'programs');
  await mkdir(programs);
  await writeFile(path.join(programs, 'sysctl'), '#!/bin/sh\n[ "$2" = kern.bootsessionuuid ] && echo 0F1E-2D3C\n', {
    mode: 0o755,
  });
  await writeFile(path.join(programs, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  env = { PATH: `${programs}:${process.env['PATH'] ?? ''}`, NODE_OPTIONS: `--import=${PRELOAD}` };
  // In the foreground it has its environment from here.
  ({ child: worker } = start(['worker'], { home: place.home, env }));
});
afterAll(async () => {
  const gone = once(worker, 'exit');
  if (worker.exitCode === null && worker.kill('SIGTERM')) await gone;
  // Only who sees processes the same way knows the server that was started so.
  await here('down', '--force');
  await place.remove();
});

test('without /proc a round is held by its process group, found by ps, and its receipt reads observed', async () => {
  const leaving = `nohup sleep ${MARK} >/dev/null 2>&1 &\n${reporting({ status: 'complete', summary: 'left a sleep' })}`;
  const run = ['run', 'Leave.', '--sandbox', 'full-access', '--id', 'leaving', '--command', leaving];
  expect(await here(...run)).toMatchObject({ code: 0 });
  const page = (await here('show', 'leaving', '--round', '1')).stdout;
  expect(page).toMatch(/^Disposal +no process was found, but that is no proof; process-group/m);
  expect(page).toMatch(new RegExp(`1 ended by SIGKILL: sleep ${MARK}$`, 'm'));
  expect(await tagged(MARK)).toEqual([]);
});

test('and a cancel ends what it sees, and says what that is worth', async () => {
  const args = ['run', 'Go on.', '--sandbox', 'full-access', '--id', 'endless', '--detach'];
  expect(await here(...args, '--command', endless(MARK))).toMatchObject({ code: 0 });
  await waitFor('its children', 30_000, async () => (await tagged(MARK)).length === 2);
  const cancelled = await here('cancel', 'endless');
  expect(cancelled.stdout).toMatch(/no process was found, but that is no proof/);
  expect(await tagged(MARK)).toEqual([]);
});

test('doctor says so before a run, and a sandbox is refused', async () => {
  const { stdout } = await here('doctor');
  expect(stdout).toMatch(
    /✓ full-access +held by process-group: files are not held, .*; what a round leaves is looked for, which is no proof$/m,
  );
  expect(stdout).toMatch(/✗ workspace-write .*Sandboxes need Linux with bubblewrap\./);
  const { code, stderr } = await here('run', 'Do it.', '--command', 'true');
  expect(code).toBe(2);
  expect(stderr).toMatch(/Sandboxes need Linux with bubblewrap\. .*--sandbox full-access/);
});
