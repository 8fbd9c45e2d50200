import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chainOf, nextRuns } from '../../client/resume/chain.ts';
import { RunRequest } from '../../schemas/run/run.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { plainPrevious } from '../support/plain-request.ts';
import { tempFolder } from '../support/temp-folder.ts';

const home = tempFolder('chain');
afterEach(() => rmSync(runPaths(home, 'r').root.replace(/\/r$/, ''), { recursive: true, force: true }));

/** Record a run that has ended. @param previous the run that it continues; null: it is the first of a chain */
async function record(runId: string, previous: string | null, root = 'r'): Promise<void> {
  await recordRun({ home, runId, rounds: 1, objective: 'o', summary: 's', transcript: '', ended: true });
  if (previous === null) return;
  const { request } = runPaths(home, runId);
  const written = RunRequest.parse(JSON.parse(readFileSync(request, 'utf8')));
  const before = { ...plainPrevious(previous, 'a'.repeat(40)), root };
  writeFileSync(request, JSON.stringify({ ...written, previous: before }));
}

function rolledBack(runId: string, rollbacks: readonly { to: number; done: boolean }[]): void {
  const common = { commit: 'a', abandoned: 'b', keptAt: 'refs/x', ref: null, notes: [], at: new Date(0).toISOString() };
  const all = rollbacks.map((each, at) => ({ ...common, ...each, number: at + 1 }));
  writeFileSync(runPaths(home, runId).rollbacks, JSON.stringify({ rollbacks: all }));
}

const endOf = async (runId: string) => {
  const { last, discarded } = await chainOf(home, runId, null);
  return { last, discarded };
};

test('every run of a chain knows the same last run, and which runs continued it', async () => {
  await record('r', null);
  await record('r-2', 'r');
  await record('r-3', 'r-2');
  for (const runId of ['r', 'r-2', 'r-3']) expect(await endOf(runId)).toEqual({ last: 'r-3', discarded: [] });
  const chain = await chainOf(home, 'r-2', null);
  expect(chain.root).toBe('r');
  expect(['r', 'r-2', 'r-3'].map((runId) => nextRuns(chain, runId))).toEqual([['r-2'], ['r-3'], []]);
});

test('a run that was rolled back to its beginning is not the last one, unless the rollback did not finish', async () => {
  await record('r', null);
  await record('r-2', 'r');
  await record('r-3', 'r-2');
  rolledBack('r-3', [{ to: 0, done: true }]);
  expect(await endOf('r-3')).toEqual({ last: 'r-2', discarded: ['r-3'] });
  rolledBack('r-2', [
    { to: 1, done: true },
    { to: 0, done: false },
  ]);
  expect(await endOf('r')).toEqual({ last: 'r-2', discarded: ['r-3'] });
  rolledBack('r-2', [{ to: 0, done: true }]);
  expect(await endOf('r')).toEqual({ last: 'r', discarded: ['r-2', 'r-3'] });
  rolledBack('r', [{ to: 0, done: true }]);
  expect(await endOf('r-2')).toEqual({ last: 'r', discarded: ['r-2', 'r-3'] });
  await record('r-4', 'r');
  expect(await endOf('r-3')).toEqual({ last: 'r-4', discarded: [] });
});

test('runs count in the order of their numbers, and a run with such a name that was started by itself is not in the chain', async () => {
  await record('r', null);
  for (let number = 2; number <= 11; number += 1) await record(`r-${number}`, number === 2 ? 'r' : `r-${number - 1}`);
  await record('r-12', null);
  await record('r-2-2', null);
  await record('r-02', null);
  expect(await endOf('r')).toEqual({ last: 'r-11', discarded: [] });
  expect(await endOf('r-12')).toEqual({ last: 'r-12', discarded: [] });
  expect(await endOf('r-2-2')).toEqual({ last: 'r-2-2', discarded: [] });
});

test('a run whose request is damaged still counts, and one that never got a request does not', async () => {
  await record('r', null);
  await record('r-2', 'r');
  writeFileSync(runPaths(home, 'r-2').request, '{');
  expect((await endOf('r')).last).toBe('r-2');
  rmSync(runPaths(home, 'r-2').request);
  expect((await endOf('r')).last).toBe('r');
});

test('a chain whose first run has an id of the greatest length is found as well', async () => {
  const root = 'x'.repeat(64);
  await record(root, null);
  await record(`${'x'.repeat(62)}-2`, root, root);
  expect((await endOf(root)).last).toBe(`${'x'.repeat(62)}-2`);
});
