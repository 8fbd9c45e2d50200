import type { CheckLine } from '../../../client/view/run-view.ts';
import { clock } from '../../../cli/text/amounts.ts';
import { faultWords } from '../../../cli/pages/fault-words.ts';
import { FaultCode } from '../../../schemas/round/fault.ts';
import { roundRow, type runView } from '../support/run-view.ts';
import { commands, now, REFUSED, refused, why } from '../support/why.ts';

test('a round under way: which, what the agent does, which claims were refused before, what was used', () => {
  const progress = {
    round: 3,
    attempt: 2,
    phase: 'agent',
    startedAt: new Date(now - 60_000).toISOString(),
    activity: 'editing a.ts',
    tokens: 1_200,
  } as const;
  const said = why({ round: 3, maxRounds: 40, progress, checks: [refused], steering: { pause: true, stop: false } });
  expect(said.why).toBe('Round 3 of 40 is under way.');
  expect(said.evidence).toEqual([
    'round 3 of 40, attempt 2  1m  1.2k tokens  editing a.ts',
    REFUSED,
    'It was asked to pause once that has ended.',
    'Used so far: 10m of work, 12.0k tokens, cost $1.50.',
  ]);
  expect(commands(said)).toContain('ralph watch r');
});

test('a wait: until when, for what fault in plain words, and what ends it early', () => {
  const until = new Date(now + 3_600_000).toISOString();
  const said = why({ status: 'waiting', until, why: 'usage-limited: You have hit your limit' });
  expect(said.why).toBe(
    `It waits until ${clock(until, now)} (1h more), as the plan's allowance is used up for now. Then it tries again by itself.`,
  );
  expect(said.evidence[0]).toBe('usage-limited: You have hit your limit');
  expect(said.next[0]).toEqual(['ralph retry r', 'try again now']);
});

test('a run without a worker waits for one, whatever its record says', () => {
  const said = why({ round: 3 }, { worker: 'none' });
  expect(said.why).toMatch(/^No worker of this RALPH_HOME is alive, .*Round 3 of 256 is under way\.$/);
  expect(commands(said).slice(0, 2)).toEqual(['ralph up', 'ralph watch r']);
  expect(why({ round: 3 }, { worker: 'elsewhere' }).why).toBe('Round 3 of 256 is under way.');
});

test('a claim that is being checked, gates before round 1, a pause, a preparation', () => {
  const gates = [{ command: 'npm test', timeoutMs: 1 }];
  const checking = why({ status: 'checking', round: 2, why: 'gates', gates });
  expect(checking.why).toMatch(/reported completion in round 2, and that claim is being checked: gates\.$/);
  expect(checking.evidence).toContain('gates: npm test');
  expect(why({ status: 'checking', round: 0, gates }).why).toMatch(/as it is before round 1/);
  const paused = why({ status: 'paused', rounds: [roundRow({ summary: 'one line more' })] });
  expect(paused.evidence[0]).toBe('round 1 ended as continue: one line more');
  expect(commands(paused)).toEqual(['ralph resume r', 'ralph stop r']);
  expect(why({ status: 'preparing', setup: 'npm ci' }).evidence[0]).toBe('setup: npm ci');
});

const claim = roundRow({ round: 2, status: 'complete', summary: 'all moved' });
const claimed = 'round 2 claims completion: all moved';
const gates = [{ command: 'npm test', timeoutMs: 1 }];
const reviewer = { provider: 'codex', command: null, model: null } as const;

const says = (more: Parameters<typeof runView>[0]) => why({ status: 'paused', rounds: [claim], ...more }).evidence;
const still = (what: string) => `Nothing has judged that claim yet: ${what} when it is resumed.`;

test('a paused run with a claim that nothing has judged says that it is one, and what is still to judge it', () => {
  expect(says({ gates }).slice(0, 2)).toEqual([claimed, still('its gates are run')]);
  expect(says({ gates, reviewer })[1]).toBe(still('its gates are run and it is reviewed'));
  const passed: CheckLine = { ...refused, result: 'passed', reasons: [] };
  expect(says({ gates, reviewer, checks: [passed] })[1]).toBe(still('it is reviewed'));
  const wasRefused = { ...claim, refused: 'gate "npm test" ended with exit code 1' };
  expect(says({ gates, rounds: [wasRefused], checks: [refused] }).slice(0, 2)).toEqual([
    'round 2 ended as refused: all moved',
    REFUSED,
  ]);
});

test('a round of a paused run whose attempt was lost has not ended', () => {
  const lost = roundRow({ attempts: 2, status: 'worker-lost', summary: '' });
  expect(why({ status: 'paused', rounds: [lost] }).evidence.slice(0, 2)).toEqual([
    'attempt 2 at round 1 ended as worker-lost',
    'The round has not ended: it is attempted again when it is resumed.',
  ]);
});

const asked = (steering: { pause: boolean; stop: boolean }) => commands(why({ steering }));

test('what was asked of a run already is not offered again, but what takes it back or does it at once', () => {
  expect(asked({ pause: false, stop: true })).toEqual([
    'ralph watch r',
    expect.stringContaining('log'),
    'ralph cancel r',
  ]);
  expect(asked({ pause: true, stop: false })).toEqual([
    'ralph watch r',
    expect.stringContaining('log'),
    'ralph resume r',
  ]);
});

test.each(FaultCode.options)('%s has plain words', (code) => {
  expect(faultWords(code, 'agent')?.means).toMatch(/^\w/);
});
