import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { oneAtATime, type TakeTurn, type Turn } from '../../activities/step/one-at-a-time.ts';

/** Take a turn inside an activity. */
function turnOf<T>(takeTurn: TakeTurn, runId: string, step: (turn: Turn) => Promise<T>): Promise<T> {
  return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(() =>
    takeTurn(runId, Context.current(), step),
  );
}

/** A step that ends some time after it is told to, as one that has an agent to dispose of does. */
async function untilTold({ signal, interruption }: Turn, log: string[]): Promise<string> {
  log.push('first begins');
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await delay(100);
  log.push(`first ends, ${interruption()}`);
  throw signal.reason;
}

test('a step that Temporal gave up is told to end, and the next one of the run begins only when it did', async () => {
  const takeTurn = oneAtATime();
  const log: string[] = [];
  const first = turnOf(takeTurn, 'a', (turn) => untilTold(turn, log));
  const reason = first.catch((error: unknown) => error);
  await turnOf(takeTurn, 'a', async () => {
    log.push('second begins');
  });
  expect(await reason).toMatchObject({ type: 'superseded', nonRetryable: false });
  expect(log).toEqual(['first begins', 'first ends, disowned', 'second begins']);
});

test('steps of other runs are left alone', async () => {
  const takeTurn = oneAtATime();
  const log: string[] = [];
  const first = turnOf(takeTurn, 'a', (turn) => untilTold(turn, log));
  await turnOf(takeTurn, 'b', async () => {
    log.push('of another run');
  });
  expect(log).toEqual(['first begins', 'of another run']);
  const reason = first.catch((error: unknown) => error);
  await turnOf(takeTurn, 'a', async () => {});
  expect(await reason).toMatchObject({ type: 'superseded' });
});
