import path from 'node:path';
import { activityReader } from '../../client/follow/transcript.ts';
import { keptOutputs } from '../../client/follow/kept-outputs.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { FakeModel } from '../fixtures/agents/fake-model.ts';
import { installAgent } from '../fixtures/agents/install-agent.ts';
import { claudeCode } from '../fixtures/agents/programs.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, goOn, scriptedAgent } from '../support/scripted-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ralph = engine('fallback');
const launch = launcher(ralph);
const modelFolder = tempFolder('fallback-model');
let model: FakeModel;

beforeAll(async () => {
  const headers = {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(Math.ceil(Date.now() / 1_000) + 3_600),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  };
  const limited = { status: 429, headers };
  model = await FakeModel.start(modelFolder, [{ ...claudeCode.report(done('by claude')), fail: [limited, limited] }]);
  process.env['CLAUDE_CODE_OAUTH_TOKEN'] = 'sk-ant-oat01-abcdefghijklmnop';
  process.env['ANTHROPIC_BASE_URL'] = model.url;
  process.env['PATH'] = `${installAgent(claudeCode.package)}${path.delimiter}${process.env['PATH']}`;
}, 300_000);
afterAll(() => model.stop());

test('the fallback agent takes over the round of an agent that is limited for an hour, and only that round', async () => {
  const standIn = scriptedAgent(path.join(ralph.folder, 'stand-in'), [{ report: goOn('1') }, { report: goOn('2') }]);
  const { handle, paths } = await launch([], {
    agent: claudeCode.spec,
    checks: { fallbackAgent: standIn.spec },
  });
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 3, report: { summary: 'by claude' } });
  expect((await readAttempts(paths)).map(({ round, outcome }) => `${round} ${outcome}`)).toEqual([
    '1 usage-limited',
    '1 continue',
    '2 usage-limited',
    '2 continue',
    '3 complete',
  ]);
  // Its lines are read as what they are: a command's own words beside another agent's events.
  const request = await readRequest(paths);
  if (request === null) throw new Error('no request');
  const outputs = await keptOutputs(paths, request, { round: 1, part: null });
  const of = (attempt: number) => {
    const output = outputs.find((each) => each.attempt === attempt);
    if (output === undefined) throw new Error(`no attempt ${attempt}`);
    return activityReader(request, { paths, output });
  };
  expect([(await of(1))('plain words'), (await of(2))('plain words')]).toEqual([null, 'plain words']);
});
