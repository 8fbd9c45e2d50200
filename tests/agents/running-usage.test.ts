import { RunningUsage } from '../../agents/usage/running-usage.ts';

const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cacheWriteTokens: 3,
  cacheReadTokens: 4,
});

test('a message that comes in several events counts once, with the most that was stated of it', () => {
  const running = new RunningUsage();
  expect(running.total()).toBeNull();
  running.add('a', usage(100, 1));
  running.add('a', usage(100, 20));
  running.add('b', usage(10, 5));
  running.add('a', usage(100, 1));
  expect(running.total()).toEqual({ inputTokens: 110, outputTokens: 25, cacheWriteTokens: 6, cacheReadTokens: 8 });
});

test('a hundred thousand messages are summed', () => {
  const running = new RunningUsage();
  for (let i = 0; i < 100_000; i++) running.add(String(i), usage(1, 1));
  expect(running.total()).toMatchObject({ inputTokens: 100_000, outputTokens: 100_000 });
});
