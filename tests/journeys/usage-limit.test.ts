import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readAttempts, readOutcome } from '../../workspaces/ledger.ts';
import { runPaths } from '../../workspaces/run-paths.ts';
import { FakeModel, type Step } from '../fixtures/agents/fake-model.ts';
import { installAgent } from '../fixtures/agents/install-agent.ts';
import { claudeCode } from '../fixtures/agents/programs.ts';
import { gitRepository } from '../support/git-repository.ts';
import { kill, place, Shown } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const AHEAD_S = 15;
const MARGIN_MS = 5_000;

const ralph = place('usage-limit');
const modelFolder = tempFolder('usage-limit-model');
const bin = installAgent(claudeCode.package);
let stopModel = async (): Promise<void> => {};
afterAll(() => stopModel());

/** A plan's limit as Anthropic's API states it, that ends at `reset` (seconds since the epoch). */
function limitedUntil(reset: number): Step {
  const headers = {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(reset),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  };
  return { ...claudeCode.report(done('all done')), fail: [{ status: 429, headers }] };
}

test('a usage limit is waited out to its stated reset, though worker and server die meanwhile; no round is charged', async () => {
  const model = await FakeModel.start(modelFolder, []);
  stopModel = () => model.stop();
  const env = { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-abcdefghijklmnop', ANTHROPIC_BASE_URL: model.url };
  const lines = Object.entries({ ...env, PATH: `${bin}:${process.env['PATH']}` });
  writeFileSync(path.join(ralph.home, 'env'), lines.map(([name, value]) => `${name}=${value}\n`).join(''), {
    mode: 0o600,
  });
  const repository = gitRepository(path.join(ralph.folder, 'repository'), { 'a.txt': 'a\n' });
  const id = 'limited';
  const paths = runPaths(ralph.home, id);
  const show = async () => Shown.parse(JSON.parse((await ralph.ralph('show', id, '--json')).stdout));
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  const reset = Math.ceil(Date.now() / 1_000) + AHEAD_S;
  await model.follow([limitedUntil(reset)]);
  const where = ['--id', id, '--repo', repository.path, '--sandbox', 'full-access', '--max-rounds', '1'];
  expect(await ralph.ralph('run', 'Reach it.', ...where, '--agent', 'claude-code', '--detach')).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('error:'),
  });

  const waiting = await waitFor('the wait', 15_000, async () => {
    const shown = await show();
    return shown.status === 'waiting' ? shown : null;
  });
  expect(waiting.why).toMatch(/^usage-limited: You've hit your 5-hour limit/);
  expect(Date.parse(String(waiting.until))).toBeGreaterThanOrEqual(reset * 1_000 + MARGIN_MS - 1_000);
  expect(Date.parse(String(waiting.until))).toBeLessThanOrEqual(reset * 1_000 + MARGIN_MS + 1_000);
  await ralph.killWorker();
  await kill(await ralph.server());
  expect(ralph.processes('claude')).toEqual([]);

  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  expect(await show()).toMatchObject({ status: 'waiting' });
  expect(await ralph.ralph('watch', id)).toMatchObject({ code: 0 });
  expect((await readAttempts(paths)).map(({ round, outcome }) => `${round} ${outcome}`)).toEqual([
    '1 usage-limited',
    '1 complete',
  ]);
  const second = await readOutcome(paths, 1, 2);
  const woken = Date.parse(String(second?.startedAt));
  expect(woken).toBeGreaterThanOrEqual(reset * 1_000);
  expect(woken).toBeLessThan(reset * 1_000 + MARGIN_MS + 6_000);
  expect(await show()).toMatchObject({ status: 'complete' });
}, 90_000);
