import { readFile, writeFile } from 'node:fs/promises';
import { openDeployment } from '../../../client/connect/deployment.ts';
import { askOf } from '../../../client/connect/reach.ts';
import { questionOver } from '../../../client/view/question.ts';
import { viewRun } from '../../../client/view/show-run.ts';
import { runPaths } from '../../../workspaces/records/run-paths.ts';
import { recordRun } from '../../cli/support/recorded-run.ts';
import { type Scratch, scratch } from '../../cli/support/ralph.ts';

let place: Scratch;
beforeAll(async () => {
  place = await scratch();
});
afterAll(() => place.remove());

/** A chain of runs that have ended, each with one round. */
async function recordChain(home: string, runIds: readonly string[]): Promise<void> {
  for (const [at, runId] of runIds.entries()) {
    await recordRun({ home, rounds: 1, objective: 'o', summary: 's', transcript: '', runId, ended: true });
    const before = runIds[at - 1];
    if (before === undefined) continue;
    const { request } = runPaths(home, runId);
    const previous = { runId: before, root: runIds[0], commit: 'a'.repeat(40), pending: null };
    await writeFile(request, JSON.stringify({ ...JSON.parse(await readFile(request, 'utf8')), previous }));
  }
}

test('a run knows the runs before it, the next one and, by whatever number of steps, the last one with its status', async () => {
  const { home } = place;
  await recordChain(home, ['r', 'r-2', 'r-3', 'r-4']);
  const deployment = await openDeployment({ RALPH_HOME: home, PATH: process.env['PATH'] });
  const chain = async (runId: string) => (await viewRun(questionOver(askOf(deployment), deployment), runId)).chain;
  const last = { runId: 'r-4', status: 'budget-limited' };
  expect(await chain('r')).toMatchObject({
    continues: null,
    previous: [],
    continued: { kind: 'continued', as: ['r-2'], last },
  });
  expect(await chain('r-3')).toMatchObject({
    continues: 'r-2',
    previous: [{ runId: 'r' }, { runId: 'r-2' }],
    continued: { kind: 'continued', as: ['r-4'], last },
    spend: { rounds: 3 },
  });
  expect(await chain('r-4')).toMatchObject({ continued: { kind: 'none' } });
});
