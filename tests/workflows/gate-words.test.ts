import { checkedLauncher, gatesOf } from '../support/checked-launcher.ts';
import { engine } from '../support/engine.ts';
import { done } from '../support/scripted-agent.ts';

const ralph = engine('gate-words');
const launch = checkedLauncher(ralph);

test('a gate whose command holds what looks like a secret is run, stands, and is redacted in the record', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const { handle, paths } = await launch([{ files: { 'b.txt': 'b' }, report: done('1') }], {
    gates: ['true', `test -n ${token}`],
    limits: { maxRounds: 2 },
  });
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'gates-passed' });
  expect(gatesOf(paths, 1).map(({ command }) => command)).toEqual([
    'true',
    expect.stringMatching(/^test -n \[redacted/),
  ]);
});
