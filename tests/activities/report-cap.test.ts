import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { FinishedAttempt } from '../../schemas/round/round.ts';
import { RoundInput } from '../../schemas/round/round-input.ts';
import { reporting } from '../cli/support/agents.ts';
import { removeTemporaryFolders, startRun, userRepository } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const SECRET = 'pQ7-x9Zk';

/** What becomes of a report that names the secret so many times. */
async function reported(times: number): Promise<FinishedAttempt> {
  const { paths, request } = await startRun(userRepository({ 'a.txt': 'a\n' }));
  const redactor = new Redactor();
  redactor.learn([{ name: 'A_KEY_WITH_A_LONG_NAME', value: SECRET }]);
  const command = reporting({ status: 'complete', summary: `${SECRET} `.repeat(times).trim() });
  const input = RoundInput.parse({
    request: { ...request, agent: { provider: 'command', command, model: null } },
    round: 1,
    afterAttempt: 0,
    handoff: null,
    refusal: null,
  });
  const { runRound } = createActivities({ ralphHome: paths.ralphHome, workerEnv: process.env, redactor });
  return FinishedAttempt.parse(await new MockActivityEnvironment().run(runRound, input));
}

test('a report that is too long only once its secrets are redacted is refused as too long', async () => {
  expect(await reported(400)).toMatchObject({ kind: 'reported' });
  const refused = await reported(1_500);
  expect(refused).toMatchObject({ kind: 'failed', fault: { code: 'report-oversized' } });
  expect(JSON.stringify(refused)).not.toContain(SECRET);
});
