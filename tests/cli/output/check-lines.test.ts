import { gatesLine } from '../../../client/view/check-line.ts';
import { checkLines } from '../../../cli/pages/check-lines.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import { GateCheck, strictGates } from '../../../schemas/verification/gate.ts';
import { plainReceipt } from '../../support/records.ts';

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
  if (record.kind !== 'checked') throw new Error(record.kind);
  const line = gatesLine(record, { policy: strictGates, baseline: null, inherited: false });
  const view = { kind: 'gates', round: 2, claimOf: null, number: 1, ...line, record, problem: null } as const;
  const page = checkLines({ ...view, folder: '/f', files: { 'step-1/transcript': '/f/t' } }, 'r', palette(false));
  const text = page.join('\n');
  expect(text).toMatch(/Output ends +5 !== 6/);
  expect(text).not.toContain('80 files');
  expect(text).toContain('ralph log r --round 2 --gates');
});
