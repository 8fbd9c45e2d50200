import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { homePaths } from '../../../host/home-paths.ts';
import { liveHolder } from '../../../host/locks/service.ts';
import { workerState } from '../../../host/worker-process/worker-process.ts';
import { kill, place } from '../../support/place.ts';
import { done, goOn } from '../../support/scripted-agent.ts';
import { hasEnded } from '../../support/survivors.ts';
import { waitFor } from '../../support/wait-for.ts';

// Longer than a test may take: what waits for Temporal to miss a worker's heartbeats fails.
const ralph = place('watchdog', { heartbeatTimeoutMs: 120_000 });

const watchdog = async (): Promise<number | null> => (await liveHolder(homePaths(ralph.home).watchdog))?.pid ?? null;
const watched = (but: number | null = null): Promise<number> =>
  waitFor('a watchdog', 20_000, async () => {
    const pid = await watchdog();
    return pid === but ? null : pid;
  });
const anotherWorker = (than: number): Promise<number> =>
  waitFor('another worker', 20_000, async () => {
    const state = await workerState(ralph.home);
    return state.kind === 'ready' && state.pid !== than ? state.pid : null;
  });

const lastLines = (file: string): string => readFileSync(file, 'utf8').split('\n').slice(-6).join('\n');

test('a worker killed in mid-round while nobody looks comes back by itself, and the run goes on to its end', async () => {
  const story = ralph.story([
    { report: goOn('first') },
    { files: { 'half.txt': 'half' }, leave: 61, sleep: 90 },
    { report: done('second') },
  ]);
  await story.detach();
  await story.started(2);
  await watched();
  const worker = await ralph.worker();
  await kill(worker);
  const next = await anotherWorker(worker);
  await waitFor('the end of the run', 30_000, async () => (await story.show()).status === 'complete');
  expect(await story.ledger()).toEqual(['1.1 continue', '2.1 worker-lost', '2.2 complete']);
  expect(story.agent.starts()[2]?.files).toContain('half.txt');
  expect(story.agent.overlapped()).toBe(false);
  expect(readFileSync(homePaths(ralph.home).worker.log, 'utf8')).toMatch(/watchdog starts it again/);

  await kill(next);
  await anotherWorker(next);
});

test('a watchdog that is killed comes back, too', async () => {
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  const first = await watched();
  await kill(first);
  await watched(first);
  const worker = await ralph.worker();
  await kill(worker);
  await anotherWorker(worker);
});

test('a worker that is asked to end stays down: by SIGTERM, and by `down` where it does nothing any more', async () => {
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  await watched();
  const worker = await ralph.worker();
  process.kill(worker, 'SIGTERM');
  await waitFor('the end of the worker', 20_000, () => hasEnded(worker));
  expect(await watchdog()).toBeNull();
  expect(await workerState(ralph.home)).toEqual({ kind: 'down' });

  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  await watched();
  process.kill(await ralph.worker(), 'SIGSTOP');
  expect(await ralph.ralph('down')).toMatchObject({ code: 0 });
  expect(ralph.processes('')).toEqual([]);
});

test('`down` right after `up`, while the watchdog is on its way, leaves neither', async () => {
  for (let n = 0; n < 3; n++) {
    const up = ralph.start('up');
    await waitFor('a worker', 20_000, async () => (await workerState(ralph.home)).kind !== 'down');
    expect(await ralph.ralph('down', '--force')).toMatchObject({ code: 0 });
    await up.ended;
    expect(await ralph.ralph('down', '--force')).toMatchObject({ code: 0 });
    expect(ralph.processes('')).toEqual([]);
  }
});

test('a worker that cannot start ends, and is tried again until it can', async () => {
  const keys = homePaths(ralph.home).env;
  writeFileSync(keys, 'SOME_API_KEY=k\n', { mode: 0o600 });
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  await watched();
  const worker = await ralph.worker();
  chmodSync(keys, 0o644);
  await kill(worker);
  const { log } = homePaths(ralph.home).worker;
  await waitFor('its last words', 20_000, () => /env-file-not-private|may be read|mode/.test(lastLines(log)));
  await waitFor('its end', 20_000, async () => (await workerState(ralph.home)).kind === 'down');
  chmodSync(keys, 0o600);
  await anotherWorker(worker);
});
