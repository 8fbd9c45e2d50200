import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GateCheck } from '../../schemas/verification/gate.ts';
import { StepRecord } from '../../schemas/round/step.ts';
import { checkPaths } from '../../workspaces/records/run-paths.ts';
import { place } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

// Longer than a test may take: what waits for Temporal to miss a worker's heartbeats fails.
const ralph = place('gates-lost', { heartbeatTimeoutMs: 120_000 });

test('a worker killed while a gate runs: nothing of the gate survives, and the claim is checked again, the round is not', async () => {
  const story = ralph.story([{ files: { 'new.txt': 'new' }, report: done('made it') }]);
  const at = (name: string): string => path.join(story.agent.folder, name);
  const gate = `test -f '${at('start-1.json')}' || exit 0; setsid sleep 91 & nohup sleep 92 & echo begun >> '${at('gates')}'; test -f '${at('go')}' || sleep 93`;
  await story.detach('--setup', 'true', '--gate', gate, '--gate', 'test -f new.txt');
  await waitFor('the gate', 40_000, () => existsSync(at('gates')));
  expect(ralph.processes('sleep 9').length).toBeGreaterThan(0);
  const watching = ralph.start('watch', story.id);
  await watching.until(/^round 1: gates$/m);
  await ralph.killWorker();
  await waitFor('the end of the gate', 2_000, () => ralph.processes('sleep 9').length === 0);
  story.agent.go();

  expect(await watching.ended).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(at('gates'), 'utf8')).toBe('begun\nbegun\n');
  expect(await story.ledger()).toEqual(['1.1 complete']);
  const [lost, again] = [checkPaths(story.paths, 1, 1), checkPaths(story.paths, 1, 2)];
  expect(existsSync(lost.record)).toBe(false);
  expect(StepRecord.parse(JSON.parse(readFileSync(lost.step(1).outcome, 'utf8')))).toMatchObject({
    kind: 'interrupted',
    receipt: { cause: 'worker-lost', proof: 'namespace-gone' },
  });
  expect(GateCheck.parse(JSON.parse(readFileSync(again.record, 'utf8')))).toMatchObject({
    kind: 'checked',
    gates: [{ exitCode: 0 }, { exitCode: 0 }],
  });
  expect((await story.show()).receipt).toMatchObject({ proof: 'namespace-gone', left: [] });
  expect(existsSync(story.paths.check)).toBe(false);
});
