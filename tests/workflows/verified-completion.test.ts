import { existsSync } from 'node:fs';
import path from 'node:path';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { MAX_HANDOFF_CHARS, reportChars } from '../../schemas/round/report.ts';
import { controlSignal } from '../../workflows/messages.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { checkPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { checkedLauncher, gatesOf, recordOf, stepOf } from '../support/checked-launcher.ts';
import { engine } from '../support/engine.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { survivors } from '../support/survivors.ts';
import { waitFor } from '../support/wait-for.ts';
import { message } from '../support/control-message.ts';

const ralph = engine('verified');
const launch = checkedLauncher(ralph);

const memoOf = async (handle: WorkflowHandle) => RunMemo.parse((await handle.describe()).memo?.[MEMO_KEY]);
const codesOf = (paths: RunPaths, round: number) => gatesOf(paths, round).map(({ exitCode }) => exitCode);

const FIXED = `grep -q fixed a.txt || { echo 'a.txt is not fixed'; exit 3; }`;

test('"done" with an empty diff and a red gate is refused, the next round is told why, and a real fix completes', async () => {
  const { handle, agent, paths } = await launch(
    [{ report: done('all is well') }, { files: { 'a.txt': 'fixed\n' }, report: done('fixed it') }],
    // Over a continue-as-new: what a refusal leaves crosses it.
    { gates: ['true', FIXED, 'test -f a.txt'], settings: { continueAfterRounds: 1 } },
  );
  expect(await handle.result()).toMatchObject({
    status: 'complete',
    verification: 'gates-passed',
    excusedGates: [],
    rounds: 2,
    report: { summary: 'fixed it' },
  });
  const [first, second] = agent.starts();
  expect(first?.prompt).toContain(FIXED);
  expect(first?.prompt).not.toContain('failed with exit code 3');
  expect(second?.prompt).toContain('The engine checked this and rejected it.');
  for (const told of [FIXED, 'exit code 3', 'a.txt is not fixed', 'all is well']) {
    expect(second?.prompt).toContain(JSON.stringify(told).slice(1, -1));
  }
  // Before round 1 all of them ran; the claim was refused by the first that failed.
  expect(codesOf(paths, 0)).toEqual([0, 3, 0]);
  expect(codesOf(paths, 1)).toEqual([0, 3]);
  expect(codesOf(paths, 2)).toEqual([0, 0, 0]);
  expect(existsSync(checkPaths(paths, 1, 1).step(3).root)).toBe(false);
  expect([paths.check, paths.checkCache].filter((folder) => existsSync(folder))).toEqual([]);
  expect(await memoOf(handle)).toMatchObject({ status: 'complete', receipt: { proof: 'namespace-gone' } });
});

test('a gate that is green in the last round completes; a last claim that is refused has used the rounds up', async () => {
  const fixed = { files: { 'a.txt': 'fixed' }, report: done('2') };
  const limits = { maxRounds: 2 };
  const [good, bad] = await Promise.all([
    launch([{ report: goOn('1') }, fixed], { gates: [FIXED], limits }),
    launch([{ report: goOn('1') }, { report: done('2') }], { gates: [FIXED], limits }),
  ]);
  expect(await good.handle.result()).toMatchObject({ status: 'complete', rounds: 2, verification: 'gates-passed' });
  expect(await bad.handle.result()).toMatchObject({
    status: 'budget-limited',
    budget: 'rounds',
    rounds: 2,
    handoff: { status: 'continue', summary: '2', nextSteps: [expect.stringContaining('a.txt is not fixed')] },
  });
});

test('with a red baseline allowed, just the failure that was there before is excused, and the gates after it count', async () => {
  const { handle, agent, paths } = await launch(
    [
      { files: { 'a.txt': 'worse\n' }, report: done('1') },
      { files: { 'a.txt': 'a\n', 'new.txt': 'stray' }, report: done('2') },
      { files: { 'new.txt': 'well' }, report: done('3') },
    ],
    {
      gates: ['cat a.txt; date +"old failure after %N ms"; exit 1', '! grep -s stray new.txt'],
      policy: { allowRedBaseline: true },
    },
  );
  expect(await handle.result()).toMatchObject({
    status: 'complete',
    rounds: 3,
    verification: 'gates-as-before',
    excusedGates: [expect.stringContaining('cat a.txt')],
  });
  const codes = [0, 1, 2, 3].map((round) => codesOf(paths, round));
  expect(codes).toEqual([[1, 0], [1], [1, 1], [1, 0]]);
  expect(agent.starts()[1]?.prompt).toContain('cat a.txt');
  expect(agent.starts()[2]?.prompt).toContain('! grep -s stray new.txt');
});

const TRICK = {
  files: { '.gitignore': 'node_modules/\n' },
  setup: `mkdir -p node_modules && echo 'echo really failing; exit 1' > node_modules/runner.sh`,
  gates: ['sh node_modules/runner.sh'],
  limits: { maxRounds: 1 },
};
const tricky = [{ files: { 'node_modules/runner.sh': 'exit 0' }, report: done('green') }];

test('an ignored file that an agent edited turns no gate green, but in place it does', async () => {
  const [clean, inPlace] = await Promise.all([
    launch(tricky, TRICK),
    launch(tricky, { ...TRICK, policy: { inPlace: true } }),
  ]);
  expect(await clean.handle.result()).toMatchObject({
    status: 'budget-limited',
    handoff: { nextSteps: [expect.stringContaining('really failing')] },
  });
  expect(await inPlace.handle.result()).toMatchObject({ status: 'complete', verification: 'gates-passed' });
  // In place there was no second setup, and git worked as in a round.
  expect(existsSync(checkPaths(inPlace.paths, 1, 1).step(0).root)).toBe(false);
  expect(existsSync(path.join(inPlace.paths.tree, '.git'))).toBe(false);
});

test("what an agent left in the run's package caches does not reach the gates", async () => {
  const gate = 'test ! -e "$npm_config_cache/poison" && test -z "$(ls -A "$HOME")"';
  const plant = 'mkdir -p "$npm_config_cache" && touch "$npm_config_cache/poison" "$HOME/.npmrc"';
  const { handle, agent, paths } = await launch([{ report: done('1') }], {
    gates: [gate],
    limits: { maxRounds: 1 },
    setup: `case "$npm_config_cache" in */check-cache/*) ;; *) ${plant};; esac`,
  });
  expect(await handle.result()).toMatchObject({ status: 'complete' });
  expect(existsSync(path.join(paths.cache, 'npm', 'poison'))).toBe(true);
  expect(agent.starts()).toHaveLength(1);
});

test('protected paths that differ from the base are named, and complete once they are given back', async () => {
  const { handle, agent, paths } = await launch(
    [
      { files: { 'tests/a.test': 'easy', 'src.txt': 'x' }, report: done('1') },
      { files: { 'tests/a.test': 'hard' }, report: done('2') },
    ],
    { files: { 'tests/a.test': 'hard' }, gates: ['true'], policy: { protect: ['tests/**', 'package.json'] } },
  );
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 2 });
  expect(recordOf(paths, 1)).toMatchObject({ protectedPaths: ['tests/a.test'] });
  expect(agent.starts()[1]?.prompt).toMatch(/may not change them: tests\/a\.test/);
  const alone = await launch([{ files: { 'tests/b': '' }, report: done('1') }], {
    gates: [],
    policy: { protect: ['tests/**'] },
    limits: { maxRounds: 1 },
    setup: 'true',
  });
  expect(await alone.handle.result()).toMatchObject({ status: 'budget-limited' });
});

test('a setup that fails on the checkout refuses the claim; a gate that does not end is ended', async () => {
  const setup = `if grep -q broken a.txt; then echo 'no such package' >&2; exit 9; fi`;
  const installs = await launch(
    [
      { files: { 'a.txt': 'broken' }, report: done('1') },
      { files: { 'a.txt': 'well' }, report: done('2') },
    ],
    { setup, gates: ['true'] },
  );
  const slow = { command: 'test -f quick || sleep 61', timeoutMs: 400 };
  const ends = await launch([{ report: done('1') }, { files: { quick: '' }, report: done('2') }], { gates: [slow] });
  expect(await installs.handle.result()).toMatchObject({ status: 'complete', rounds: 2 });
  expect(gatesOf(installs.paths, 1)).toMatchObject([{ command: setup, exitCode: 9 }]);
  expect(gatesOf(installs.paths, 2)).toMatchObject([{ command: 'true', exitCode: 0 }]);
  expect(installs.agent.starts()[1]?.prompt).toContain('no such package');
  expect(await ends.handle.result()).toMatchObject({ status: 'complete', rounds: 2 });
  expect(recordOf(ends.paths, 1)).toMatchObject({
    gates: [{ exitCode: null, timedOut: true, receipt: { cause: 'round-timeout', proof: 'namespace-gone' } }],
  });
  expect(ends.agent.starts()[1]?.prompt).toContain('did not end within');
});

test('what a gate leaves running is gone before the next one starts', async () => {
  const leaves = `for how in setsid nohup; do $how sh -c 'while :; do date +%N > beat; sleep 0.02; done' > /dev/null 2>&1 & done
    while [ ! -s beat ]; do sleep 0.02; done`;
  const still = 'seen=$(cat beat); sleep 0.3; test "$seen" = "$(cat beat)"';
  const { handle, paths } = await launch([{ report: done('1') }], { gates: [leaves, still], limits: { maxRounds: 1 } });
  expect(await handle.result()).toMatchObject({ status: 'complete' });
  const [first] = gatesOf(paths, 1);
  expect(first?.receipt).toMatchObject({ proof: 'namespace-gone', left: [] });
  expect(first?.receipt.killed.length).toBeGreaterThan(0);
  expect(survivors(paths.root)).toEqual([]);
});

test('of a huge output the next round gets the end, marked, in a report that is within the cap', async () => {
  const huge = `head -c 3000000 /dev/zero | tr '\\0' x; printf '\\033[31m"LAST\\\\WORDS"\\033[0m\\n'; exit 1`;
  const [wide, narrow] = await Promise.all([
    launch([{ report: done('1') }], { gates: [huge], limits: { maxRounds: 1 } }),
    launch([{ report: done('1') }], { gates: [huge], limits: { maxRounds: 1, maxHandoffChars: 900 } }),
  ]);
  const ended = await wide.handle.result();
  if (ended.status !== 'budget-limited' || ended.handoff === null) throw new Error(`it ended ${ended.status}`);
  expect(ended.handoff.nextSteps[0]).toMatch(/the beginning is left out[^]*x"LAST\\WORDS"$/);
  expect(reportChars(ended.handoff)).toBeLessThanOrEqual(MAX_HANDOFF_CHARS);
  const cut = await narrow.handle.result();
  if (cut.status !== 'budget-limited' || cut.handoff === null) throw new Error(`it ended ${cut.status}`);
  expect(cut.handoff.nextSteps[0]).toContain('[cut: ');
  expect(reportChars(cut.handoff)).toBeLessThanOrEqual(900);
});

test('five refusals by one gate with one output are a stall; with another output each they end by maxRejections', async () => {
  const gates = ['cat a.txt; exit 1'];
  const steps = Array.from({ length: 9 }, (_, i) => ({ files: { 'a.txt': `${i} is odd` }, report: done(`${i}`) }));
  const [same, other] = await Promise.all([
    launch([{ report: done('again') }], { gates, limits: { maxRejections: 9 } }),
    launch(steps, { gates, limits: { maxRejections: 6 } }),
  ]);
  expect(await same.handle.result()).toMatchObject({ status: 'stalled', cause: 'same-gate-failure', rounds: 5 });
  expect(await other.handle.result()).toMatchObject({ status: 'stalled', cause: 'claims-rejected', rounds: 6 });
});

/** A run whose claim is being checked: its gate waits until it is let go. */
async function launchWaiting() {
  const run = await launch([{ report: done('1') }], (folder) => {
    const waits = `touch '${folder}/gate'; setsid sleep 62 & test -f '${folder}/go' || sleep 63`;
    return { gates: [`test -f '${folder}/start-1.json' || exit 0; ${waits}`, 'true'] };
  });
  await waitFor('the gate', 30_000, () => existsSync(path.join(run.folder, 'gate')));
  return run;
}

test('a pause at once disposes of the gate under way, and the claim is checked again', async () => {
  const { handle, agent, paths } = await launchWaiting();
  await handle.signal(controlSignal, message({ kind: 'pause', now: true }));
  await waitFor('the pause', 20_000, async () => (await memoOf(handle)).status === 'paused');
  expect(survivors(paths.root)).toEqual([]);
  const interrupted = { kind: 'interrupted', receipt: { cause: 'paused', proof: 'namespace-gone' } };
  expect(stepOf(paths, { round: 1, check: 1, step: 1 })).toMatchObject(interrupted);
  agent.go();
  await handle.signal(controlSignal, message({ kind: 'resume' }));
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1, verification: 'gates-passed' });
  expect(recordOf(paths, 1, 2)).toMatchObject({ check: 2 });
  expect(existsSync(checkPaths(paths, 1, 1).record)).toBe(false);
});

test('a cancel disposes of the gate under way, and the receipt is that of the gate', async () => {
  const { handle, paths } = await launchWaiting();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  const receipt = { cause: 'cancelled', proof: 'namespace-gone' };
  expect(stepOf(paths, { round: 1, check: 1, step: 1 })).toMatchObject({ kind: 'interrupted', receipt });
  expect(await readEnding(paths)).toMatchObject({ ending: { status: 'cancelled' }, receipt });
  expect(survivors(paths.root)).toEqual([]);
  expect(existsSync(paths.check)).toBe(false);
});

test('a worker that is shut down gives its gates back, and the next one runs them anew', async () => {
  const { handle, agent, paths } = await launchWaiting();
  await ralph.stopWorkers();
  expect(survivors(paths.root)).toEqual([]);
  expect(stepOf(paths, { round: 1, check: 1, step: 1 })).toMatchObject({ receipt: { cause: 'worker-shutdown' } });
  agent.go();
  await ralph.startWorkers();
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
  expect(agent.starts()).toHaveLength(1);
});
