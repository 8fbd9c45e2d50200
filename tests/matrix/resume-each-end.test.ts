import { blocked, reader, work } from '../support/chain.ts';
import { place } from '../support/place.ts';
import { done, goOn, type Step } from '../support/scripted-agent.ts';

const ralph = place('resume-each-end');
const { show } = reader(ralph);
type Story = ReturnType<typeof ralph.story>;

const toTheEnd = async (_: Story, ...args: string[]): Promise<number | null> => (await ralph.ralph(...args)).code;

/** Stop the run once the agent was started for the n-th time; its round is ended and its work kept. */
async function stopped(story: Story, ...args: string[]): Promise<number | null> {
  const [command, ...more] = args;
  const n = command === 'run' ? 2 : 3;
  const { stdout } = await ralph.ralph(String(command), ...more, '--detach');
  const id = stdout.trim();
  await story.started(n);
  expect(await ralph.ralph('pause', id, '--now')).toMatchObject({ code: 0 });
  expect(await ralph.ralph('stop', id)).toMatchObject({ code: 0 });
  return (await ralph.ralph('watch', id)).code;
}

interface Case {
  readonly kind: string;
  readonly code: number;
  readonly flags: readonly string[];
  /** Two runs end like this, one after the other; the next one completes. */
  readonly ends: readonly Step[];
  readonly until: (story: Story, ...args: string[]) => Promise<number | null>;
  /** Rounds that the first run and its follow-up used. */
  readonly used: readonly [number, number];
}

const cases: readonly Case[] = [
  {
    kind: 'blocked',
    code: 10,
    flags: [],
    ends: [{ report: blocked('no key') }, { report: blocked('no key') }],
    until: toTheEnd,
    used: [2, 1],
  },
  {
    kind: 'stalled',
    code: 12,
    flags: ['--stall-rounds', '1'],
    ends: [{ report: goOn('idle', ['look']) }, { report: goOn('idle', ['look']) }],
    until: toTheEnd,
    used: [2, 1],
  },
  {
    kind: 'failed',
    code: 13,
    flags: ['--round-attempts', '1'],
    ends: [{ exit: 3 }, { exit: 3 }],
    until: toTheEnd,
    used: [1, 0],
  },
  {
    kind: 'stopped',
    code: 17,
    flags: [],
    ends: [{ files: { half: 'h' }, sleep: 90 }, { sleep: 90 }],
    until: stopped,
    used: [1, 0],
  },
];

test.each(cases)(
  'a $kind run is resumed with what is left of its budgets, and then with new ones',
  async ({ code, flags, ends, until, used }) => {
    const story = ralph.story([work('1'), ...ends, { files: { end: 'e' }, report: done('all there') }]);
    const { id } = story;
    expect(await until(story, ...story.args, '--max-rounds', '20', ...flags)).toBe(code);
    expect(await until(story, 'resume', id)).toBe(code);
    expect(await show(`${id}-2`)).toMatchObject({ maxRounds: 20 - used[0] });
    expect((await ralph.ralph('resume', `${id}-2`, '--max-rounds', '7')).code).toBe(0);
    expect(await show(`${id}-3`)).toMatchObject({
      status: 'complete',
      maxRounds: 7,
      chainSpend: { rounds: used[0] + used[1] + 1 },
      previous: [{ runId: id }, { runId: `${id}-2` }],
    });
    const last = story.agent.starts().at(-1);
    expect(last?.files).toContain('1');
    expect(last?.prompt).toMatch(/after 1|no key|look/);
  },
);
