import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readEnding } from '../../workspaces/records/runs.ts';
import { place, said } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('cancel');

/** Of Temporal's `PendingActivityState`. */
const CANCEL_REQUESTED = '3';

test('before the first round, with setup under way: setup is gone, and no agent was started', async () => {
  const story = ralph.story([{ report: done('never') }]);
  await story.detach('--setup', `touch ${story.agent.folder}/setting-up; setsid sleep 81 & sleep 82`);
  await waitFor('setup', 40_000, () => existsSync(`${story.agent.folder}/setting-up`));
  const cancelled = await ralph.ralph('cancel', story.id, '--reason', 'too slow');
  expect(cancelled).toMatchObject({ code: 0 });
  expect(said(cancelled)).toMatch(/cancelled: too slow \(/);
  expect(story.alive()).toEqual([]);
  expect(await story.show()).toMatchObject({ status: 'cancelled', why: 'too slow', receipt: { left: [] } });
  expect(story.agent.started(1)).toBe(false);
});

test('in a round: nothing of it is left when the command returns, its work is a commit, and there is proof', async () => {
  const story = ralph.story([{ report: goOn('first') }, { files: { 'half.txt': 'half' }, leave: 83, sleep: 90 }]);
  await story.detach();
  await story.started(2);
  const { code, stdout } = await ralph.ralph('cancel', story.id);
  expect(story.alive()).toEqual([]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/cancelled \([^]*no process is left[^]*SIGTERM/),
  });
  expect(await story.show()).toMatchObject({ receipt: { proof: 'namespace-gone', cause: 'cancelled' } });
  expect(story.repository.git('show', `ralph/${story.id}:half.txt`)).toBe('half');

  const again = await ralph.ralph('cancel', story.id);
  expect(again).toMatchObject({ code: 0 });
  expect(said(again)).toMatch(/has already ended/);
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 14 });
});

test('twice at once: both return when nothing is left', async () => {
  const story = ralph.story([{ leave: 84, sleep: 90 }]);
  await story.detach();
  await story.started(1);
  const both = await Promise.all([ralph.ralph('cancel', story.id), ralph.ralph('cancel', story.id)]);
  expect(story.alive()).toEqual([]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await story.show()).toMatchObject({ status: 'cancelled', receipt: { left: [] } });
});

test('in a wait between attempts: the wait ends at once', async () => {
  // Another code each time: one and the same fault again and again would end the run.
  const story = ralph.story(Array.from({ length: 10 }, (_, n) => ({ exit: 3 + n })));
  await story.detach('--round-attempts', '10');
  await waitFor('the wait', 40_000, async () => (await story.show()).status === 'waiting');
  expect(await ralph.ralph('cancel', story.id)).toMatchObject({ code: 0 });
  expect(await story.show()).toMatchObject({ status: 'cancelled', receipt: { left: [] } });
});

test('with the worker dead: another one is started, which disposes of the round first', async () => {
  const story = ralph.story([{ files: { 'half.txt': 'half' }, leave: 85, sleep: 90 }]);
  await story.detach();
  await story.started(1);
  await ralph.killWorker();
  expect(await ralph.ralph('cancel', story.id, '--reason', 'enough')).toMatchObject({ code: 0 });
  expect(story.alive()).toEqual([]);
  expect(await story.show()).toMatchObject({
    status: 'cancelled',
    why: 'enough',
    receipt: { proof: 'namespace-gone' },
  });
  expect(story.agent.started(2)).toBe(false);
  expect(story.repository.git('show', `ralph/${story.id}:half.txt`)).toBe('half');
});

test('with the end of a round that cannot be proved: it says so, exits 16, and no further agent is started', async () => {
  const story = ralph.story([{ report: goOn('first') }, { leave: 87, sleep: 90 }]);
  await story.detach();
  await story.started(2);
  await ralph.killWorker();
  // As if another machine's worker had begun it.
  const { fence } = story.attempt(2, 1);
  const begun = JSON.parse(readFileSync(fence, 'utf8'));
  // Another machine's is not removed.
  ralph.atEnd(() => rmSync(begun.tempFolder, { recursive: true }));
  writeFileSync(fence, JSON.stringify({ ...begun, host: { ...begun.host, machine: 'another', boot: 'another' } }));
  const cancelled = await ralph.ralph('cancel', story.id);
  expect(cancelled).toMatchObject({ code: 16 });
  expect(said(cancelled)).toMatch(/NOT PROVED: a process may still be running/);
  expect(said(cancelled)).toMatch(/left \d+/);
  expect(said(cancelled)).not.toMatch(/no process is left/);
  expect(await story.show()).toMatchObject({ status: 'cancelled', receipt: { proof: 'unproved' } });
  expect(story.agent.started(3)).toBe(false);
  expect(await story.ledger()).toEqual(['1.1 continue']);
});

test('with the worker stopped: it is ended, and the next one disposes of the round', async () => {
  const story = ralph.story([{ leave: 86, sleep: 90 }]);
  await story.detach();
  await story.started(1);
  process.kill(await ralph.worker(), 'SIGSTOP');
  expect(await ralph.ralph('cancel', story.id)).toMatchObject({ code: 0 });
  expect(story.alive()).toEqual([]);
  expect(await story.show()).toMatchObject({ status: 'cancelled', receipt: { proof: 'namespace-gone' } });
});

test('with the worker killed while it ends the round, and missed by Temporal: the run is cancelled all the same', async () => {
  const story = ralph.story([{ sleep: 90 }], (command) => `trap '' TERM; ${command}`);
  await story.detach('--grace', '60s');
  await story.started(1);
  const cancelling = ralph.start('cancel', story.id, '--reason', 'enough');
  await waitFor('the cancel', 20_000, async () => (await story.pending())?.state === CANCEL_REQUESTED);
  cancelling.child.kill('SIGKILL');
  await cancelling.ended;
  await ralph.killWorker();
  await waitFor('the server to give it up', 20_000, async () => (await story.pending()) === null);
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 14 });
  expect(await readEnding(story.paths)).toMatchObject({ ending: { status: 'cancelled', reason: 'enough' } });
  expect(story.alive()).toEqual([]);
});
