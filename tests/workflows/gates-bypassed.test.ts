import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { RoundFailure } from '../../schemas/run/result.ts';
import { checkedLauncher, gatesOf, recordOf } from '../support/checked-launcher.ts';
import { engine } from '../support/engine.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = engine('bypassed');
const launch = checkedLauncher(ralph);

// It ends with the last command's exit code where its line ends make `-e` an option that is none.
const RUN = 'set -e\nfalse\necho ok\n';
const limits = { maxRounds: 1 };
const policy = { protect: ['tests/**'] };

test('attributes that change what a protected file does refuse the claim, and are named to the next worker', async () => {
  const attributes = { '.gitattributes': 'tests/* text eol=crlf\n' };
  const asked = { files: { 'tests/run.sh': RUN }, gates: ['bash tests/run.sh'], limits };
  const plan = [{ files: attributes, report: done('1') }];
  const [{ handle, paths }, open] = await Promise.all([launch(plan, { ...asked, policy }), launch(plan, asked)]);
  expect(await handle.result()).toMatchObject({
    status: 'budget-limited',
    handoff: { nextSteps: [expect.stringContaining('tests/run.sh (by .gitattributes)')] },
  });
  expect(gatesOf(paths, 0)).toMatchObject([{ exitCode: 1 }]);
  expect(gatesOf(paths, 1)).toEqual([]);
  // The way round is real: where nothing is protected the gate passes.
  expect(await open.handle.result()).toMatchObject({ status: 'complete', verification: 'gates-passed' });
});

test('a setup script that rewrites what is protected refuses the claim, and the next worker is told', async () => {
  const script = { 'setup.sh': 'test -d node_modules || echo exit 0 > tests/run.sh\n' };
  const { handle, paths } = await launch([{ files: script, report: done('1') }], {
    files: { 'tests/run.sh': RUN, 'setup.sh': 'mkdir -p node_modules\n', '.gitignore': 'node_modules/\n' },
    setup: 'sh setup.sh',
    gates: ['bash tests/run.sh'],
    policy,
    limits,
  });
  expect(await handle.result()).toMatchObject({
    status: 'budget-limited',
    handoff: { nextSteps: [expect.stringContaining('changed protected files of the checkout: tests/run.sh')] },
  });
  expect(gatesOf(paths, 1)).toMatchObject([{ command: 'sh setup.sh', exitCode: 0, changed: ['tests/run.sh'] }]);
});

async function failureOf(handle: WorkflowHandle): Promise<RoundFailure> {
  const error = await handle.result().catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return RoundFailure.parse(error.cause.details?.[0]);
}

test('with a red baseline allowed, a setup that fails on the clean checkout ends the run before the first round', async () => {
  const setup = 'case "$npm_config_cache" in */check-cache/*) echo no such host >&2; exit 7;; esac';
  const { handle, agent, paths } = await launch([{ report: done('1') }], {
    setup,
    gates: ['not-installed'],
    policy: { allowRedBaseline: true },
  });
  const { round, fault } = await failureOf(handle);
  expect([round, fault.code]).toEqual([0, 'setup-failed']);
  expect(fault.message).toMatch(/It said: no such host\. .*--gate-in-place/);
  expect(agent.starts()).toEqual([]);
  expect(recordOf(paths, 0)).toMatchObject({ kind: 'failed' });
});

test('with a red baseline allowed, a gate that hangs as it did before is not excused', async () => {
  const { handle } = await launch([{ report: done('1') }], {
    gates: [{ command: 'sleep 61', timeoutMs: 400 }],
    policy: { allowRedBaseline: true },
    limits,
  });
  expect(await handle.result()).toMatchObject({ status: 'budget-limited' });
});
