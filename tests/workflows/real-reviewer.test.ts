import path from 'node:path';
import { z } from 'zod';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import { readJson } from '../../workspaces/records/json-file.ts';
import { reviewPaths } from '../../workspaces/records/run-paths.ts';
import { FakeModel } from '../fixtures/agents/fake-model.ts';
import { installAgent } from '../fixtures/agents/install-agent.ts';
import { claudeCode } from '../fixtures/agents/programs.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done } from '../support/scripted-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ralph = engine('real-reviewer');
const launch = launcher(ralph);
const modelFolder = tempFolder('real-reviewer-model');
let model: FakeModel;
/** What of a request to the model is looked at. */
const Asked = z.object({ model: z.string() });

beforeAll(async () => {
  const looks = { ...claudeCode.shell('cat b.txt; echo mine > made.txt'), usage: { in: 900, out: 40 } };
  const accepts = claudeCode.report({ decision: 'accept', reasons: ['b.txt holds what was asked for'] });
  model = await FakeModel.start(modelFolder, [looks, { ...accepts, usage: { in: 1_000, out: 50 } }]);
  process.env['ANTHROPIC_API_KEY'] = 'k';
  process.env['ANTHROPIC_BASE_URL'] = model.url;
  process.env['PATH'] = `${installAgent(claudeCode.package)}${path.delimiter}${process.env['PATH']}`;
}, 300_000);
afterAll(() => model.stop());

test('the real Claude Code reviews a claim, read-only and by the model that was asked for, and what it used is told', async () => {
  const { handle, paths } = await launch([{ files: { 'b.txt': 'the work' }, report: done('WORKER-WORD') }], {
    objective: 'Write b.txt.',
    checks: { reviewer: { provider: 'claude-code', command: null, model: 'claude-haiku-4-5' } },
  });
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'reviewed', rounds: 1 });
  expect(await readJson(reviewPaths(paths, 1, 1).outcome, ReviewRecord)).toMatchObject({
    kind: 'reviewed',
    review: { decision: 'accept', reasons: ['b.txt holds what was asked for'] },
    sandbox: { level: 'read-only', mechanism: 'bubblewrap' },
    usage: { inputTokens: 1_900, outputTokens: 90 },
    costUsd: expect.any(Number),
    costEstimated: false,
    receipt: { proof: 'namespace-gone' },
  });
  const requests = await model.requests();
  const models = requests.map(({ body }) => Asked.safeParse(body)).flatMap(({ data }) => (data ? [data.model] : []));
  expect([...new Set(models)]).toEqual(['claude-haiku-4-5']);
  const sent = JSON.stringify(requests);
  expect([sent.includes('Write b.txt.'), sent.includes('+the work'), sent.includes('WORKER-WORD')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(sent).toMatch(/made\.txt: Read-only file system/);
});
