import { generateRunId } from '../../client/start/prepare-run.ts';
import { nearestIds } from '../../client/start/nearest-ids.ts';
import { RUN_ID } from '../../schemas/run/run.ts';

const ids = ['widgets-k3f9x', 'widgets-2mq8r', 'gadgets-7hh2p', 'nightly'];

test('a mistyped id finds the ids that it may mean, the nearest first', () => {
  expect(nearestIds('widgets-k3f8x', ids)[0]).toBe('widgets-k3f9x');
  expect(nearestIds('nigthly', ids)[0]).toBe('nightly');
});

test('a part of an id finds it', () => {
  expect(nearestIds('7hh2p', ids)).toEqual(['gadgets-7hh2p']);
});

test('what is like nothing finds nothing', () => {
  expect(nearestIds('zzzzzzzz', ids)).toEqual([]);
  expect(nearestIds('', ids)).toEqual([]);
});

test.each(['/home/u/widgets', '/srv/Ünï Côde!!', '/', `/x/${'a'.repeat(300)}`, '/x/---', '/x/My.Project_2'])(
  'a run id made for %s is a valid one, and another each time',
  (repository) => {
    const [one, two] = [generateRunId(repository), generateRunId(repository)];
    expect(one).toMatch(RUN_ID);
    expect(one).not.toBe(two);
  },
);

test('a run id begins with the name of the repository', () => {
  expect(generateRunId('/x/My.Project_2')).toMatch(/^my-project-2-[a-z0-9]{5}$/);
});
