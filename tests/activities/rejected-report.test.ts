import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { FinishedAttempt } from '../../schemas/round/round.ts';
import { reporting } from '../cli/support/agents.ts';
import { stepInput } from '../support/step-input.ts';
import { removeTemporaryFolders, startRun, userRepository, type TestRun } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const SECRET = 'pQ7-x9Zk';

/** One attempt by a command agent. */
async function attemptBy(
  command: string,
  { paths, request }: Pick<TestRun, 'paths' | 'request'>,
  redactor: Redactor,
): Promise<FinishedAttempt> {
  const input = stepInput({ ...request, agent: { provider: 'command', command, model: null } });
  const { runRound } = createActivities({ ralphHome: paths.ralphHome, workerEnv: process.env, redactor });
  return FinishedAttempt.parse(await new MockActivityEnvironment().run(runRound, input));
}

/** What becomes of a report that names the secret so many times. */
async function reported(times: number): Promise<FinishedAttempt> {
  const redactor = new Redactor();
  redactor.learn([{ name: 'A_KEY_WITH_A_LONG_NAME', value: SECRET }]);
  const command = reporting({ status: 'complete', summary: `${SECRET} `.repeat(times).trim() });
  return await attemptBy(command, await startRun(userRepository({ 'a.txt': 'a\n' })), redactor);
}

test('a report that is too long only once its secrets are redacted is refused as too long', async () => {
  expect(await reported(400)).toMatchObject({ kind: 'reported' });
  const refused = await reported(1_500);
  expect(refused).toMatchObject({ kind: 'failed', fault: { code: 'report-oversized' } });
  expect(JSON.stringify(refused)).not.toContain(SECRET);
});

test('a report that is nested too deep is the fault of the report', async () => {
  const nested = `${'['.repeat(7_000)}${']'.repeat(7_000)}`;
  const json = `{"status":"continue","summary":"s","evidence":[${nested}],"nextSteps":["n"],"blocker":""}`;
  const { paths, request } = await startRun(userRepository({ 'a.txt': 'a\n' }));
  const command = `cat > /dev/null; echo kept > kept.txt; printf '%s' '${json}' > "$RALPH_REPORT_FILE"`;
  const attempt = await attemptBy(command, { paths, request }, new Redactor());
  expect(attempt).toMatchObject({
    kind: 'failed',
    fault: {
      code: 'report-invalid',
      message: 'the report is nested 7002 levels deep; at most 64 are allowed',
    },
    checkpoint: { changes: { files: 1 } },
  });
});
