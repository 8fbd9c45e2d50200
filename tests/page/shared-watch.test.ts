import { SharedWatch } from '../../page/server/watch/shared-watch.ts';
import { waitFor } from '../support/wait-for.ts';

/** Follows a watch and keeps the lines. */
function follower(watch: SharedWatch) {
  const over = new AbortController();
  const lines: unknown[] = [];
  const ended = (async () => {
    for await (const line of watch.follow(over.signal)) lines.push(JSON.parse(line));
  })();
  return {
    lines,
    end: async () => {
      over.abort();
      await ended;
    },
  };
}

test('ten followers cost one reader, and each gets the whole document first, then only what changed', async () => {
  let reads = 0;
  let atOnce = 0;
  let most = 0;
  let count = 0;
  const watch = new SharedWatch(
    async () => {
      reads += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 5));
      atOnce -= 1;
      return {
        parts: new Map([
          ['same', '"x"'],
          ['count', String(count)],
        ]),
        restMs: 10,
      };
    },
    () => {},
  );
  const followers = Array.from({ length: 10 }, () => follower(watch));
  await waitFor('the whole document', 5_000, () => followers.every(({ lines }) => lines.length === 1));
  for (const { lines } of followers) expect(lines).toEqual([{ set: { same: 'x', count: 0 }, gone: [] }]);
  count = 1;
  await waitFor('the change', 5_000, () => followers.every(({ lines }) => lines.length === 2));
  for (const { lines } of followers) expect(lines[1]).toEqual({ set: { count: 1 }, gone: [] });
  expect(most).toBe(1);
  for (const each of followers) await each.end();
  const before = reads;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(reads).toBe(before);
});

test('a follower that comes late gets the whole document as it is now', async () => {
  let count = 0;
  const watch = new SharedWatch(
    () => Promise.resolve({ parts: new Map([['count', String((count += 1))]]), restMs: 20 }),
    () => {},
  );
  const first = follower(watch);
  await waitFor('two lines', 5_000, () => first.lines.length >= 2);
  const late = follower(watch);
  await waitFor('a line', 5_000, () => late.lines.length >= 1);
  expect(late.lines[0]).toMatchObject({ set: { count: expect.any(Number) }, gone: [] });
  await first.end();
  await late.end();
});

test('what is gone is named', async () => {
  let parts = new Map([
    ['a', '1'],
    ['b', '2'],
  ]);
  const watch = new SharedWatch(
    () => Promise.resolve({ parts, restMs: 10 }),
    () => {},
  );
  const one = follower(watch);
  await waitFor('the document', 5_000, () => one.lines.length === 1);
  parts = new Map([['a', '1']]);
  await waitFor('the change', 5_000, () => one.lines.length === 2);
  expect(one.lines[1]).toEqual({ set: {}, gone: ['b'] });
  await one.end();
});
