import { lineAfterOnDisk } from '../../client/view/line-after.ts';
import { noteSuccessor } from '../../client/resume/successors.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { type Scratch, scratch } from '../cli/support/ralph.ts';

let place: Scratch;
beforeAll(async () => {
  place = await scratch();
});
afterAll(() => place.remove());

test('a run knows the next one of its line and, by whatever number of steps, the last one with its status', async () => {
  const { home } = place;
  const line = ['r', 'r-2', 'r-3', 'r-4'];
  const common = { home, rounds: 1, objective: 'o', summary: 's', transcript: '' };
  for (const [at, runId] of line.entries()) {
    await recordRun({ ...common, runId, ended: true });
    const before = line[at - 1];
    if (before !== undefined) await noteSuccessor(runPaths(home, before), runId);
  }
  const lineEnd = { runId: 'r-4', status: 'budget-limited' };
  expect(await lineAfterOnDisk(home, 'r')).toEqual({ successors: ['r-2'], lineEnd });
  expect(await lineAfterOnDisk(home, 'r-3')).toEqual({ successors: ['r-4'], lineEnd });
  expect(await lineAfterOnDisk(home, 'r-4')).toEqual({ successors: [], lineEnd: null });
});
