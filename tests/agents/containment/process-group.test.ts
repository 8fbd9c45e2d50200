import { waitUntil } from '../../../agents/containment/dispose/wait-until.ts';
import { makeScratch } from './attempt.ts';
import { attemptOf } from './disposal-cases.ts';
import { buildContainment, startStandInWorker } from './stand-in-worker.ts';
import type { StandInWorker } from './stand-in-worker.ts';

const scratch = makeScratch();
let build = '';
let worker: StandInWorker;

beforeAll(async () => {
  build = buildContainment(scratch.folder);
  // It sees processes through ps, as it does where there is no /proc.
  worker = await startStandInWorker({ build, uid: null, env: { PLATFORM: 'darwin' } });
});

afterAll(async () => {
  worker.signal('SIGKILL');
  await worker.gone;
  scratch.remove();
});

const mechanism = 'process-group';
const HOW = { cause: 'cancelled', graceMs: 200, proveMs: 10_000 };

async function start(run: Parameters<typeof attemptOf>[1]): Promise<string> {
  const attempt = attemptOf({ build, uid: null, mechanism, level: 'full-access' }, run);
  expect(await worker.ask({ start: { mechanism, command: attempt.command } })).toEqual({ started: true });
  expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
  return attempt.command.fenceFile;
}

/** What can be seen without /proc: by parents, by group, by the environment that a program was started with. */
const SEEN = ['plain', 'bg', 'nohup', 'setsid', 'daemon', 'sigterm', 'pipe', 'agentkilled', 'stopped'];

test.each(SEEN)(
  'without /proc, what ps shows of a cancelled command is ended, and called observed: %s',
  async (standIn) => {
    await start({ standIn, endsByItself: false });
    const { receipt } = await worker.ask({ dispose: HOW });
    expect(worker.survivors()).toEqual([]);
    expect(receipt).toMatchObject({ mechanism, proof: 'observed', left: [] });
  },
);

test('without /proc, a daemon that emptied its environment is not seen, and the receipt claims no proof', async () => {
  await start({ standIn: 'envscrub', endsByItself: false });
  const { receipt } = await worker.ask({ dispose: HOW });
  const survivors = worker.survivors();
  for (const survivor of survivors) process.kill(Number.parseInt(survivor, 10), 'SIGKILL');
  expect(survivors).toHaveLength(1);
  expect(receipt?.proof).toBe('observed');
});

test('without /proc, what a lost worker left is found by its fence, named without its environment, and ended', async () => {
  const lost = await startStandInWorker({ build, uid: null, env: { PLATFORM: 'darwin' } });
  const attempt = attemptOf(
    { build, uid: null, mechanism, level: 'full-access' },
    { script: 'export A_KEY=hunter2; setsid sleep 60 & (setsid sh -c "sleep 60; true" &); : > "$ARMED"; wait' },
  );
  await lost.ask({ start: { mechanism, command: attempt.command } });
  expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
  lost.signal('SIGKILL');
  await lost.gone;
  expect(lost.survivors().length).toBeGreaterThanOrEqual(3);
  const { fenceFile } = attempt.command;
  const { receipt } = await worker.ask({
    earlier: { fenceFile, cause: 'worker-lost', proveMs: HOW.proveMs },
  });
  expect(lost.survivors()).toEqual([]);
  expect(receipt).toMatchObject({ mechanism, proof: 'observed', left: [] });
  expect(receipt?.killed.map(({ command }) => command)).toContain('sleep 60');
  expect(JSON.stringify(receipt)).not.toMatch(/hunter2|RALPH_MARKER/);
});
