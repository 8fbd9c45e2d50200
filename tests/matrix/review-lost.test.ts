import { existsSync } from 'node:fs';
import path from 'node:path';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import { readJson } from '../../workspaces/records/json-file.ts';
import { reviewPaths } from '../../workspaces/records/run-paths.ts';
import { place } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

// Longer than a test may take: what waits for Temporal to miss a worker's heartbeats fails.
const ralph = place('review-lost', { heartbeatTimeoutMs: 120_000 });

test('a worker killed while a reviewer is at work: nothing of it survives, and another one looks', async () => {
  const story = ralph.story([{ files: { 'new.txt': 'new' }, report: done('made it') }]);
  const accept = `printf '{"decision":"accept","reasons":[]}' > "$RALPH_REPORT_FILE"`;
  const hangs = 'setsid sleep 81 & nohup sleep 82 & echo looking; sleep 83';
  const reviewer = `case "$RALPH_REPORT_FILE" in */review-1/*) ${hangs};; *) ${accept};; esac`;
  await story.detach('--reviewer-command', reviewer);
  await waitFor('the reviewer', 40_000, () => ralph.processes('sleep 8').length > 0);
  const watching = ralph.start('watch', story.id);
  await watching.until(/review/);
  await ralph.killWorker();
  await waitFor('the end of the reviewer', 2_000, () => ralph.processes('sleep 8').length === 0);

  expect(await watching.ended).toMatchObject({ code: 0, stderr: '' });
  expect(await story.ledger()).toEqual(['1.1 complete']);
  const record = (number: number) => readJson(reviewPaths(story.paths, 1, number).outcome, ReviewRecord);
  const receipt = { cause: 'worker-lost', proof: 'namespace-gone' };
  expect(await record(1)).toMatchObject({ kind: 'interrupted', receipt });
  expect(await record(2)).toMatchObject({ kind: 'reviewed', attempt: 2, review: { decision: 'accept' } });
  expect((await story.show()).receipt).toMatchObject({ proof: 'namespace-gone', left: [] });
  const left = [story.paths.check, path.join(reviewPaths(story.paths, 1, 1).root, 'home')];
  expect(left.filter((folder) => existsSync(folder))).toEqual([]);
});
