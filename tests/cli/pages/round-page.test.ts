import { roundPage } from '../../../cli/pages/round-page.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import { gatesOutcome } from '../../../client/view/check-rows.ts';
import { GateCheck, strictGates } from '../../../schemas/verification/gate.ts';
import { plainReceipt } from '../../support/records.ts';
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
