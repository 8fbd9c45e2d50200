import { roundPage } from '../../../cli/pages/round-page.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import { gatesOutcome } from '../../../client/view/check-rows.ts';
import { GateCheck, strictGates } from '../../../schemas/verification/gate.ts';
import { lostAttempt, plainReceipt } from '../../support/records.ts';
import { checkRow } from '../../support/run-view.ts';

test('a round shows what gates printed that failed, and of those that passed nothing', () => {
  const gate = { timedOut: false, outputHash: 'h', ms: 5, receipt: plainReceipt({}) };
  const at = '2026-01-05T09:00:00.000Z';
  const record = GateCheck.parse({
    kind: 'checked',
    round: 2,
    check: 1,
    commit: 'c',
    gates: [
      { ...gate, command: 'lint', exitCode: 0, output: 'all 80 files are fine' },
      { ...gate, command: 'npm test', exitCode: 1, output: '5 !== 6' },
    ],
    protectedPaths: [],
    startedAt: at,
    endedAt: at,
  });
  const outcome = gatesOutcome(record, { policy: strictGates, baseline: null }, false);
  const check = {
    ...checkRow({ outcome }),
    record: { kind: 'there', record },
    kept: { folder: '/f', files: { 'step-1/transcript': '/f/t' } },
  } as const;
  const view = { runId: 'r', round: 2, row: null, attempts: [], checks: [check] };
  const text = roundPage(view, { now: 0, width: null, paint: palette(false) }).join('\n');
  expect(text).toMatch(/Output ends +5 !== 6/);
  expect(text).not.toContain('80 files');
  expect(text).toContain('ralph log r --round 2 --gates');
});

test('an attempt shows the version of its agent, and marks an estimated cost alone', () => {
  const used = { usage: { inputTokens: 10, outputTokens: 5, cacheWriteTokens: 0, cacheReadTokens: 0 }, costUsd: 0.5 };
  const record = lostAttempt({ ...used, costEstimated: true, agent: 'codex gpt-5', agentVersion: '0.171.0' });
  const attempts = [{ attempt: 1, outcome: { kind: 'there', record }, kept: null }] as const;
  const view = { runId: 'r', round: 1, row: null, attempts, checks: [] };
  const text = roundPage(view, { now: 0, width: null, paint: palette(false) }).join('\n');
  expect(text).toMatch(/^Agent +codex gpt-5, version 0\.171\.0$/m);
  expect(text).toMatch(/^Tokens +15, and 0 read from a cache$/m);
  expect(text).toMatch(/^Cost +≈\$0\.50$/m);
});
