import { clock } from '../../../client/describe/amounts.ts';
import { faultWords } from '../../../client/describe/fault-words.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { FaultCode } from '../../../schemas/round/fault.ts';
import { commands, description, now, USED } from '../../support/description.ts';
import { checkRow, claims, live, REJECTED, roundRow, running, whole } from '../../support/run-view.ts';

test('a current round: which, what the agent does, which claims were rejected before, what was used', () => {
  const attempt = {
    round: 3,
    attempt: 2,
    phase: 'agent',
    startedAt: new Date(now - 60_000).toISOString(),
    activity: 'editing a.ts',
    tokens: 1_200,
    counters: null,
  } as const;
  const phase = live({ status: 'running', round: 3, attempt }, { pause: true, stop: false }, 40);
  const told = description({ phase, checks: [checkRow()] });
  expect(told.headline).toBe('running round 3 of 40');
  expect(told.said).toEqual(['round 3 of 40, attempt 2  1m  1.2k tokens  editing a.ts']);
  expect(told.evidence).toEqual([
    REJECTED,
    'Pause requested. It takes effect when this round ends.',
    `Used so far: ${USED}.`,
  ]);
  expect(commands(told)).toContain('ralph watch r');
});

test('a wait: until when, for what fault in plain words, and what ends it early', () => {
  const until = new Date(now + 3_600_000).toISOString();
  const told = description({
    phase: live({ status: 'waiting', round: 2, until, why: 'usage-limited: You have hit your limit' }),
  });
  expect(told.headline).toBe(
    `waiting until ${clock(until, now)} (1h left), because the usage limit of the plan is reached; then it tries again`,
  );
  expect(told.said).toEqual(['usage-limited: You have hit your limit']);
  expect(told.next[0]).toEqual({ command: 'ralph retry r', what: 'try again now' });
});

test('a run without a worker waits for one, whatever its record says', () => {
  const phase = live(running(3));
  const told = description({ phase }, { worker: 'none' });
  expect(told.headline).toMatch(/^waiting for a worker: .*running round 3 of 256$/);
  expect(commands(told).slice(0, 2)).toEqual(['ralph up', 'ralph watch r']);
  expect(description({ phase }, { worker: 'elsewhere' }).headline).toBe('running round 3 of 256');
});

const gates = [{ command: 'npm test', timeoutMs: 1 }];
const checking = (round: number, what: string | null) => live({ status: 'checking', round, what, check: null });

test('a claim that is being verified, gates before round 1, a pause, a preparation, an end', () => {
  const told = description({ phase: checking(2, 'gates'), request: whole({ gates }) });
  expect(told.headline).toBe('verifying the completion claim of round 2: gates');
  expect(told.evidence).toContain('gates: npm test');
  expect(description({ phase: checking(0, 'gates before round 1') }).headline).toMatch(/before round 1$/);
  const paused = description({
    phase: live({ status: 'paused', round: 1 }),
    rounds: [roundRow({ summary: 'one line more' })],
  });
  expect(paused.said).toEqual(['round 1 ended as continue: one line more']);
  expect(commands(paused)).toEqual(['ralph resume r', 'ralph stop r']);
  const preparing = description({ phase: live({ status: 'preparing' }), request: whole({ setup: 'npm ci' }) });
  expect(preparing.evidence[0]).toBe('setup: npm ci');
  expect(description({ phase: live({ status: 'ending', round: 2, as: 'stalled' }) }).headline).toBe(
    'ending as stalled',
  );
});

const reviewer = { provider: 'codex', command: null, model: null } as const;
const claimed = 'round 2 claims completion: all moved';
const said = (more: Partial<RunView>) =>
  description({
    phase: live({ status: 'paused', round: 2 }),
    rounds: [roundRow({ round: 2, outcome: claims(), summary: 'all moved' })],
    ...more,
  }).said;
const still = (what: string) => `That claim is not verified yet: ${what} when the run is resumed.`;

test('a paused run with a pending claim says that it is one, and what is still to verify it', () => {
  expect(said({ request: whole({ gates }) })).toEqual([claimed, still('its gates run')]);
  expect(said({ request: whole({ gates, reviewer }) })[1]).toBe(still('its gates run and a reviewer judges it'));
  const passed = checkRow({ outcome: { kind: 'accepted', gates: [] } });
  expect(said({ request: whole({ gates, reviewer }), checks: [passed] })[1]).toBe(still('a reviewer judges it'));
  const rejected = [roundRow({ round: 2, outcome: claims('rejected'), summary: 'all moved' })];
  expect(said({ rounds: rejected })).toEqual(['round 2 ended as rejected: all moved']);
});

test('a round of a paused run whose attempt was lost has not ended', () => {
  const lost = roundRow({ attempts: 2, outcome: { kind: 'interrupted', by: 'worker-lost' } });
  expect(said({ rounds: [lost] })).toEqual([
    'attempt 2 at round 1 ended as interrupted, because its worker was lost',
    'The round has not ended. It is attempted again when the run is resumed.',
  ]);
});

const asked = (controls: { pause: boolean; stop: boolean }) =>
  commands(description({ phase: live(running(1), controls) }));

test('what was requested already is not offered again, but what takes it back or does it at once', () => {
  const log = expect.stringContaining('log');
  expect(asked({ pause: false, stop: true })).toEqual(['ralph watch r', log, 'ralph cancel r']);
  expect(asked({ pause: true, stop: false })).toEqual(['ralph watch r', log, 'ralph resume r']);
});

test.each(FaultCode.options)('%s has plain words', (code) => {
  expect(faultWords(code, 'agent')?.means).toMatch(/^\w/);
});
