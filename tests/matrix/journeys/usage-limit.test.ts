import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOutcome } from '../../../workspaces/records/attempts.ts';
import { readAttempts } from '../../../workspaces/records/ledger.ts';
import { readEnding } from '../../../workspaces/records/runs.ts';
import { runPaths } from '../../../workspaces/records/run-paths.ts';
import { FakeModel, type Step } from '../../fixtures/agents/fake-model.ts';
import { installAgent } from '../../fixtures/agents/install-agent.ts';
import { claudeCode } from '../../fixtures/agents/programs.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { kill, place } from '../../support/place.ts';
import { ShownRun } from '../../support/shown-run.ts';
import { done } from '../../support/scripted-agent.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const MARGIN_MS = 5_000;

const ralph = place('usage-limit');
const modelFolder = tempFolder('usage-limit-model');
const bin = installAgent(claudeCode.package);
let stopModel = async (): Promise<void> => {};
afterAll(() => stopModel());

const workedMs = (work: { startedAt: string; endedAt: string } | null): number =>
  work === null ? 0 : Date.parse(work.endedAt) - Date.parse(work.startedAt);

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
  const show = async () => ShownRun.parse(JSON.parse((await ralph.ralph('show', id, '--json')).stdout));
  const before = Date.now();
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  // So far ahead that this machine, as busy as it is, has started, been killed and started again before.
  const aheadMs = 6_000 + 4 * (Date.now() - before);
  const reset = Math.ceil((Date.now() + aheadMs) / 1_000);
  await model.follow([limitedUntil(reset)]);
  const where = ['--id', id, '--repo', repository.path, '--sandbox', 'full-access', '--max-rounds', '1'];
  expect(await ralph.ralph('run', 'Reach it.', ...where, '--agent', 'claude-code', '--detach')).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('error:'),
  });

  const waiting = await waitFor('the wait', 60_000, async () => {
    const shown = await show();
    return shown.status === 'waiting' ? shown : null;
  });
  expect(waiting.why).toMatch(/^usage-limited: You've hit your 5-hour limit/);
  expect(Date.parse(String(waiting.until))).toBeGreaterThanOrEqual(reset * 1_000 + MARGIN_MS - 1_000);
  expect(Date.parse(String(waiting.until))).toBeLessThanOrEqual(reset * 1_000 + MARGIN_MS + 1_000);
  // Asked before the kill as well: with a worker its agents end.
  expect(ralph.processes('claude')).toEqual([]);
  await ralph.killWorker();
  await kill(await ralph.server());
  expect(ralph.processes('claude')).toEqual([]);

  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  const again = await show();
  expect(again).toMatchObject({ status: 'waiting', until: waiting.until });
  const watching = ralph.start('watch', id);
  await waitFor('the end of the wait, with no agent alive before it', aheadMs + 60_000, () => {
    const alive = ralph.processes('claude');
    if (Date.now() >= Date.parse(String(waiting.until))) return true;
    expect(alive).toEqual([]);
    return false;
  });
  expect(await watching.ended).toMatchObject({ code: 0 });
  expect((await readAttempts(paths)).map(({ round, outcome }) => `${round} ${outcome}`)).toEqual([
    '1 usage-limited',
    '1 complete',
  ]);
  const second = await readOutcome(paths, 1, 2);
  const woken = Date.parse(String(second?.startedAt));
  expect(woken).toBeGreaterThanOrEqual(reset * 1_000);
  expect(await show()).toMatchObject({ status: 'complete' });
  const first = await readOutcome(paths, 1, 1);
  const spent = (await readEnding(paths))?.state?.spent;
  expect(spent?.waitMs).toBeLessThanOrEqual(Date.parse(String(waiting.until)) - Date.parse(String(first?.endedAt)));
  expect(spent?.waitMs).toBeGreaterThan(MARGIN_MS);
  expect(spent?.timeMs).toBe(workedMs(first) + workedMs(second));
});
