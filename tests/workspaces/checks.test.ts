import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import { finishedReview } from '../../workspaces/records/checks.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { reviewPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { removeTemporaryFolders, temporaryFolder } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const at = '2026-11-30T00:00:00.000Z';
const ran = { startedAt: at, endedAt: at, agentMs: 1, usage: null, costUsd: null, costEstimated: false };
const proof = {
  cause: 'finished',
  mechanism: 'bubblewrap',
  proof: 'namespace-gone',
  ms: 1,
  at,
  host: 'h',
  commit: null,
};
const receipt = { ...proof, signals: [], killed: [], killedUnlisted: 0, left: [] };
const sandbox = { level: 'read-only', network: true, readable: [], mechanism: 'bubblewrap' };

test('a finished review is found by its commit, not by its round alone', async () => {
  const run = runPaths(temporaryFolder(), 'mend');
  const write = async (attempt: number, more: { commit?: string }): Promise<ReviewRecord> => {
    const { outcome } = reviewPaths(run, 2, attempt);
    mkdirSync(dirname(outcome), { recursive: true });
    const common = { kind: 'reviewed', round: 2, attempt, ...ran, sandbox, receipt };
    const record = ReviewRecord.parse({ ...common, ...more, review: { decision: 'accept', reasons: [] } });
    await writeJsonAtomically(outcome, record);
    return record;
  };
  // As it was written before the commit was kept.
  await write(1, {});
  await write(2, { commit: 'b' });
  const asked = await write(3, { commit: 'c' });
  const found = async (commit: string, after = 0) => await finishedReview(run, { round: 2, after, commit });
  expect(await found('c')).toEqual(asked);
  expect(await found('c', 3)).toBeNull();
  expect(await found('d')).toBeNull();
});
