import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GateCheck } from '../../schemas/verification/gate.ts';
import { checkGates } from '../support/check-gates.ts';
import { removeTemporaryFolders, startRun, userRepository, type TestRun } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const files = { 'tests/run.sh': 'exit 1\n', 'tests/link.sh': 'exit 1\n', 'setup.sh': 'true\n', 'a.txt': 'a\n' };
const started = (): Promise<TestRun> => startRun(userRepository(files));
const policy = { protect: ['tests/**'] };
const gates = ['sh tests/run.sh', 'true'];

function gatesOf(done: GateCheck) {
  if (done.kind === 'failed') throw new Error(done.fault.message);
  return done.gates;
}

test.each([
  ['rewrites', 'echo exit 0 > tests/run.sh', 'tests/run.sh'],
  [
    'rewrites under an old time',
    'touch -r tests/run.sh old; echo exit 0 > tests/run.sh; touch -r old tests/run.sh',
    'tests/run.sh',
  ],
  ['replaces by a link', 'echo exit 0 > b; ln -sf ../b tests/link.sh', 'tests/link.sh'],
  ['takes away', 'rm tests/link.sh', 'tests/link.sh'],
  ['makes a FIFO of', 'rm tests/run.sh; mkfifo tests/run.sh', 'tests/run.sh'],
])(
  'a setup that the agent changed and that %s a protected file refuses the claim, and no gate runs',
  async (_how, script, file) => {
    const run = await started();
    const { commit } = await run.round(`cat > setup.sh <<'END'\n${script}\nEND`);
    const { done } = await checkGates(run, { setup: 'sh setup.sh', gates, policy, commit });
    const what = { command: 'sh setup.sh', isSetup: true, exitCode: 0, changed: [file] };
    expect(gatesOf(done)).toMatchObject([what]);
    expect(gatesOf(done)[0]?.output).toContain(`changed protected files of the checkout: ${file}`);
  },
);

test('a setup may touch what is protected, and add to it', async () => {
  const run = await started();
  const { commit } = await run.round('true');
  const setup =
    'touch tests/run.sh; cp tests/run.sh c; mv c tests/run.sh; mkdir tests/build; echo x > tests/build/x; chmod +x tests/link.sh';
  const red = '! sh tests/run.sh';
  const { done } = await checkGates(run, { setup, gates: [red, 'true'], policy, commit });
  expect(gatesOf(done)).toMatchObject([{ command: red, exitCode: 0, changed: [] }, { command: 'true' }]);
});

test('a gate that changes what is protected fails, and the next one does not run on it', async () => {
  const run = await started();
  await run.round('true');
  const cheat = 'echo exit 0 > tests/run.sh';
  const { done } = await checkGates(run, { gates: [cheat, ...gates], policy });
  expect(gatesOf(done)).toMatchObject([{ command: cheat, exitCode: 0, isSetup: false, changed: ['tests/run.sh'] }]);
});

test('a setup that changes what is protected before round 1 ends the run, and says what to do', async () => {
  const run = await started();
  const { done } = await checkGates(run, { setup: 'echo exit 0 > tests/run.sh', gates, policy, round: 0 });
  expect(done).toMatchObject({ kind: 'failed', fault: { code: 'setup-failed' } });
  expect(JSON.stringify(done)).toMatch(/changes files that --protect names: tests\/run\.sh\. .*or do not protect them/);
});

const inPlace = { inPlace: true };

test('in place, a gate that leaves tracked files unlike the commit fails, and they are put back', async () => {
  const run = await started();
  const { commit } = await run.round('echo b > a.txt');
  const fix = 'echo fixed > a.txt; rm setup.sh; echo more > new.txt';
  const { done } = await checkGates(run, { gates: [fix, 'true'], policy: inPlace, commit });
  expect(gatesOf(done)).toMatchObject([{ command: fix, exitCode: 0, changed: ['a.txt', 'setup.sh'] }]);
  expect(gatesOf(done)[0]?.output).toContain('unlike the commit');
  expect(readFileSync(join(run.paths.tree, 'a.txt'), 'utf8')).toBe('b\n');
  expect(existsSync(join(run.paths.tree, 'new.txt'))).toBe(true);
  const next = await run.round('rm new.txt');
  expect(next.changes).toEqual({ files: 0, insertions: 0, deletions: 0 });
});

test('in place, what a gate whose worker was lost left in tracked files is not tested', async () => {
  const run = await started();
  const { commit } = await run.round('echo b > a.txt');
  writeFileSync(join(run.paths.tree, 'a.txt'), 'left\n');
  const { done } = await checkGates(run, { gates: ['grep b a.txt'], policy: inPlace, commit });
  expect(gatesOf(done)).toMatchObject([{ exitCode: 0, changed: [] }]);
});

test('in place before round 1, what the setup changed in tracked files stays', async () => {
  const run = await started();
  writeFileSync(join(run.paths.tree, 'a.txt'), 'of the setup\n');
  const { done } = await checkGates(run, {
    gates: ['echo x > setup.sh', 'grep setup a.txt'],
    policy: inPlace,
    round: 0,
  });
  expect(gatesOf(done)).toMatchObject([{ changed: ['setup.sh'] }, { exitCode: 0, changed: [] }]);
  expect(readFileSync(join(run.paths.tree, 'a.txt'), 'utf8')).toBe('of the setup\n');
  expect(readFileSync(join(run.paths.tree, 'setup.sh'), 'utf8')).toBe('true\n');
});

test('in place, a tracked file that is too large for a commit refuses the claim, and is kept', async () => {
  const run = await started();
  const { commit } = await run.round('truncate -s 101M a.txt');
  const { done } = await checkGates(run, { gates: ['true'], policy: inPlace, commit });
  expect(gatesOf(done)).toMatchObject([{ exitCode: 0, changed: ['a.txt'] }]);
  expect(readFileSync(join(run.paths.tree, 'a.txt')).length).toBe(101 * 1024 * 1024);
});
