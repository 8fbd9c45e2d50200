import { existsSync } from 'node:fs';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { hasEnded } from '../support/survivors.ts';
import { waitFor } from '../support/wait-for.ts';

// Longer than a test may take: what waits for Temporal to miss a worker's heartbeats fails.
const ralph = place('worker-lost', { heartbeatTimeoutMs: 120_000 });

test('a worker killed in mid-round: `watch` starts another, the round is attempted again, and the lost attempt is on record', async () => {
  const story = ralph.story([
    { report: goOn('first') },
    { files: { 'half.txt': 'half' }, say: 'half way', leave: 71, sleep: 90 },
    { report: done('second') },
  ]);
  await story.detach();
  await story.started(2);
  await waitFor('its first words', 10_000, () => story.transcript(2, 1).includes('half way'));
  await ralph.killWorker();
  await waitFor('the end of the agent', 2_000, () => story.alive().length === 0);

  const watched = await ralph.ralph('watch', story.id);
  expect(watched).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 continue', '2.1 worker-lost', '2.2 complete']);
  expect(story.transcript(2, 1)).toContain('half way');
  expect(story.agent.starts()[2]?.files).toContain('half.txt');
  expect(story.repository.git('show', `ralph/${story.id}:half.txt`)).toBe('half');
  expect(await readOutcome(story.paths, 2, 1)).toMatchObject({
    kind: 'interrupted',
    receipt: { proof: 'namespace-gone', cause: 'worker-lost' },
  });
  expect(story.agent.overlapped()).toBe(false);
});

test('what a killed worker had finished is not paid for twice', async () => {
  const story = ralph.story([
    { files: { 'one.txt': '1' }, sleep: 90, report: goOn('first') },
    { report: done('second') },
  ]);
  await story.detach();
  await story.started(1);
  // A server that is stopped hears nothing of the round's end.
  const server = await ralph.server();
  process.kill(server, 'SIGSTOP');
  try {
    story.agent.go();
    await waitFor('the outcome', 20_000, () => existsSync(story.attempt(1, 1).outcome));
    await ralph.killWorker();
  } finally {
    process.kill(server, 'SIGCONT');
  }
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 continue', '2.1 complete']);
  expect(story.agent.started(3)).toBe(false);
});

test('SIGTERM to the worker gives its round back: neither cancelled nor complete, and attempted again', async () => {
  const story = ralph.story([{ files: { 'half.txt': 'half' }, leave: 72, sleep: 90 }, { report: done('whole') }]);
  await story.detach();
  await story.started(1);
  const worker = await ralph.worker();
  process.kill(worker, 'SIGTERM');
  await waitFor('the end of the worker', 20_000, () => hasEnded(worker));
  expect(story.alive()).toEqual([]);
  expect(await story.show()).toMatchObject({ status: 'running' });
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 worker-stopped', '1.2 complete']);
  expect(story.agent.starts()[1]?.files).toContain('half.txt');
});

test('a worker that was only stopped is ended by `up`, as it could come back: its agent dies before the next one lives', async () => {
  const story = ralph.story([{ files: { 'half.txt': 'half' }, leave: 73, sleep: 90 }, { report: done('whole') }]);
  await story.detach();
  await story.started(1);
  const worker = await ralph.worker();
  process.kill(worker, 'SIGSTOP');
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  expect(hasEnded(worker)).toBe(true);
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 worker-lost', '1.2 complete']);
  expect(story.agent.overlapped()).toBe(false);
});

test('a worker that comes back after Temporal gave its round up ends its own late attempt before the next one', async () => {
  ralph.configure({ heartbeatTimeoutMs: 2_000 });
  const story = ralph.story([{ files: { 'half.txt': 'half' }, leave: 74, sleep: 90 }, { report: done('whole') }]);
  await story.detach();
  await story.started(1);
  const worker = await ralph.worker();
  process.kill(worker, 'SIGSTOP');
  await waitFor('the server to give it up', 20_000, async () => ((await story.pending())?.attempt ?? 0) > 1);
  process.kill(worker, 'SIGCONT');
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect((await story.ledger()).at(-1)).toBe('1.2 complete');
  expect(await story.ledger()).toHaveLength(2);
  expect(story.agent.overlapped()).toBe(false);
  expect(story.repository.git('show', `ralph/${story.id}:half.txt`)).toBe('half');
  expect(await ralph.worker()).toBe(worker);
});
