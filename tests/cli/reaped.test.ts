import { isAlive, killProcess } from '../../system/processes/process-identity.ts';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { deadWorker, leftBehind } from '../support/left-behind.ts';
import { here } from './support/here.ts';
import { type Ended, ralph, scratch, type Scratch } from './support/ralph.ts';

let place: Scratch;
beforeAll(async () => {
  place = await scratch();
});
afterAll(() => place.remove(), 60_000);

const NAMED = /Left by a worker that died: lost, round 1, attempt 1\n[^]* 1 ended by SIGKILL: sleep 60$/m;

test.each<[string, (home: string) => Promise<Ended>, RegExp]>([
  ['`ralph doctor --reap`', (home) => here(['doctor', '--reap'], { home }), NAMED],
  ['`ralph down`', (home) => here(['down'], { home }), NAMED],
  ['a worker that starts', (home) => ralph(['up'], { home }), /Worker/],
])('%s ends what a worker that died left', async (_who, reap, told) => {
  const left = leftBehind(attemptPaths(runPaths(place.home, 'lost'), 1, 1), deadWorker());
  try {
    expect(isAlive(left)).toBe(true);
    const { code, stdout } = await reap(place.home);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(told) });
    expect(isAlive(left)).toBe(false);
  } finally {
    killProcess(left, 'SIGKILL');
  }
});
