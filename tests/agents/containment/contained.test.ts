import { chooseContainment } from '../../../agents/containment/choose/choose-containment.ts';
import { waitUntil } from '../../../agents/containment/dispose/wait-until.ts';
import type { Contained } from '../../../agents/containment/containment.ts';
import { FIXTURES, makeAttempt, makeScratch } from './attempt.ts';
import { failingBwrap } from './failing-bwrap.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

async function start(script: string): Promise<{ contained: Contained; armed: () => boolean }> {
  const run = { script };
  const { command, armed } = makeAttempt({
    place: scratch.folder,
    fixtures: FIXTURES,
    level: 'workspace-write',
    uid: null,
    run,
  });
  const containment = await chooseContainment({ sandbox: command.sandbox });
  return { contained: await containment.start(command), armed };
}

const HOW = { cause: 'cancelled', graceMs: 2_000, proveMs: 5_000 } as const;

test('the CPU that a daemon of the command uses counts as work of the container', async () => {
  const { contained } = await start('(setsid bash -c "while :; do :; done" &); sleep 60');
  let used = 0;
  const grows = await waitUntil(() => {
    void contained.cpuMs().then((ms) => (used = ms ?? 0));
    return used > 100;
  }, 10_000);
  await contained.dispose(HOW);
  expect(grows).toBe(true);
  expect(await contained.cpuMs()).toBe(0);
});

test('a command that reacts to SIGTERM is given the time to, and is not killed', async () => {
  const { contained, armed } = await start('trap "echo bye; exit 9" TERM; : > "$ARMED"; while :; do sleep 0.05; done');
  const words: string[] = [];
  contained.stdout.setEncoding('utf8').on('data', (text: string) => words.push(text));
  expect(await waitUntil(armed, 5_000)).toBe(true);
  const receipt = await contained.dispose({ ...HOW, graceMs: 300_000 });
  expect(await contained.exited).toEqual({ code: 9, signal: null });
  expect(words.join('')).toBe('bye\n');
  expect(receipt.signals[0]?.signal).toBe('SIGTERM');
  expect(receipt.killed).toEqual([]);
});

test('disposing twice at once gives both callers the one receipt', async () => {
  const { contained } = await start('sleep 60');
  const [first, second] = await Promise.all([contained.dispose(HOW), contained.dispose({ ...HOW, cause: 'finished' })]);
  expect(second).toBe(first);
  expect(first.cause).toBe('cancelled');
});

test('a command that does not exist ends as a shell would say it', async () => {
  const { contained } = await start('exec no-such-program');
  expect(await contained.exited).toEqual({ code: 127, signal: null });
  await contained.dispose(HOW);
});

test('a container for which the machine has no room at the moment is tried again', async () => {
  const { contained: first } = await start('true');
  await first.dispose(HOW);
  const before = process.env.PATH;
  try {
    const words = 'Creating new namespace failed: Resource temporarily unavailable';
    process.env.PATH = `${failingBwrap(scratch.folder, words, 2)}:${before}`;
    const { contained } = await start('exit 7');
    expect(await contained.exited).toEqual({ code: 7, signal: null });
    await contained.dispose(HOW);
  } finally {
    process.env.PATH = before;
  }
});
