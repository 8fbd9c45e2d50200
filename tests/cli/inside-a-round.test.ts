import { here } from './support/here.ts';
import { type Scratch, scratch } from './support/ralph.ts';

let place: Scratch;
beforeAll(async () => {
  place = await scratch();
});
afterAll(() => place.remove());

const inside = (...args: string[]) => here(args, { home: place.home, env: { RALPH_RUN: 'widgets-k3f9x' } });

test.each([
  ['run', 'Do more.'],
  ['cancel', 'other'],
  ['pause', 'other'],
  ['stop', 'other'],
  ['retry', 'other'],
  ['budget', 'other', '--add-tokens', '1M'],
  ['resume', 'other'],
  ['rollback', 'other', '--to', '1'],
  ['down', '--force'],
])('an agent inside a round cannot call `ralph %s`, and is told why', async (...args) => {
  const { code, stderr } = await inside(...args);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(new RegExp(`ralph ${args[0]}. is not for agents: .*"widgets-k3f9x" .RALPH_RUN`)),
  });
});

test('what only reads works inside a round', async () => {
  expect(await inside('list')).toMatchObject({ code: 0, stderr: '' });
  expect(await inside('status')).toMatchObject({ code: 0 });
});

test('an empty RALPH_RUN is none', async () => {
  const { stderr } = await here(['pause', 'other'], { home: place.home, env: { RALPH_RUN: '' } });
  expect(stderr).toMatch(/other/);
  expect(stderr).not.toMatch(/for agents/);
});
