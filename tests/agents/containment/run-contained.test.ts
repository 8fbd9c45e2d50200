import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Redactor } from '../../../redaction/redactor.ts';
import { runContained } from '../../../agents/containment/start/run-contained.ts';
import type { ContainedRun } from '../../../agents/containment/start/run-contained.ts';
import { waitUntil } from '../../../agents/containment/dispose/wait-until.ts';
import { FIXTURES, makeAttempt, makeScratch } from './attempt.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

interface Run {
  readonly run: Promise<ContainedRun>;
  readonly armed: () => boolean;
  readonly stdout: () => string;
}

function start(how: { script: string; timeoutMs: number; signal: AbortSignal }): Run {
  const { command, armed } = makeAttempt({
    place: scratch.folder,
    fixtures: FIXTURES,
    level: 'workspace-write',
    uid: null,
    run: { script: how.script },
  });
  const stdoutFile = path.join(command.mounts.home, '../stdout.log');
  const run = runContained({
    ...command,
    stdoutFile,
    stderrFile: path.join(command.mounts.home, '../stderr.log'),
    timeoutMs: how.timeoutMs,
    graceMs: 200,
    signal: how.signal,
    abortCause: () => 'cancelled',
    redactor: new Redactor(),
  });
  return { run, armed, stdout: () => readFileSync(stdoutFile, 'utf8') };
}

const never = new AbortController().signal;

test('a command gets its input, runs in the workspace, and its output and exit code are kept', async () => {
  const { run, stdout } = start({ script: 'cat; pwd; exit 3', timeoutMs: 10_000, signal: never });
  expect(await run).toMatchObject({
    exit: { code: 3, signal: null },
    timedOut: false,
    aborted: false,
    receipt: { cause: 'finished', proof: 'namespace-gone', killed: [] },
  });
  expect(stdout()).toMatch(/^the prompt\n.*\/tree\n$/);
});

test('a server that a command leaves behind is ended with it, and named in the receipt', async () => {
  const { run } = start({
    script: 'nohup sleep 60 >/dev/null 2>&1 & until grep -q ^sleep /proc/$!/cmdline; do :; done',
    timeoutMs: 10_000,
    signal: never,
  });
  const { receipt } = await run;
  expect(receipt.killed.map(({ command }) => command)).toEqual([expect.stringMatching(/sleep 60$/)]);
});

test('a command that takes too long is ended', async () => {
  const { run } = start({ script: 'sleep 60', timeoutMs: 300, signal: never });
  expect(await run).toMatchObject({ exit: null, timedOut: true, receipt: { cause: 'round-timeout' } });
});

test('a command is ended when its caller aborts, and the receipt says why', async () => {
  const abort = new AbortController();
  const { run, armed } = start({ script: ': > "$ARMED"; sleep 60', timeoutMs: 60_000, signal: abort.signal });
  expect(await waitUntil(armed, 5_000)).toBe(true);
  abort.abort();
  expect(await run).toMatchObject({
    exit: null,
    aborted: true,
    receipt: { cause: 'cancelled', proof: 'namespace-gone' },
  });
});

test('what a runaway prints does not fill the disk', async () => {
  const { run, stdout } = start({
    script: 'head -c 40000000 /dev/zero; echo the end',
    timeoutMs: 30_000,
    signal: never,
  });
  expect(await run).toMatchObject({ exit: { code: 0 } });
  expect(stdout().length).toBeLessThan(17 * 1024 * 1024);
  expect(stdout()).toMatch(/\n\[ralph: \d+ bytes were left out here\]\n\0+the end\n$/);
});
