import { Handoff, reportChars, type CompletionClaim } from '../../../schemas/round/report.ts';
import { handoffOf } from '../../../workflows/decide/handoff.ts';

const claim = (more: Partial<CompletionClaim> = {}): CompletionClaim => ({
  status: 'complete',
  summary: 'all done',
  evidence: ['tests pass'],
  nextSteps: [],
  blocker: '',
  ...more,
});

test('a rejected completion claim keeps what the agent said, and its next steps say why it was rejected', () => {
  expect(handoffOf(claim(), ['gate "npm test" failed'], 16_384)).toEqual({
    status: 'continue',
    summary: 'all done',
    evidence: ['tests pass'],
    nextSteps: ['gate "npm test" failed'],
    blocker: '',
  });
});

test.each([
  ['a long output', claim(), [`gate failed: ${'x\n'.repeat(20_000)}`]],
  ['many reasons', claim(), Array.from({ length: 60 }, (_, i) => `reason ${i} ${'y'.repeat(2_000)}`)],
  ['a claim that fills the cap', claim({ evidence: ['e'.repeat(16_000)] }), ['gate failed '.repeat(400)]],
  ['a summary that fills the cap', claim({ summary: 's'.repeat(16_200) }), ['gate failed '.repeat(400)]],
  ['signs that need escapes', claim({ summary: '"'.repeat(8_000) }), ['\u0001"\\🙂'.repeat(4_000)]],
])('%s is shortened with a mark and the report stays within its contract', (_what, given, reasons) => {
  const handoff = handoffOf(given, reasons, 16_384);
  expect(Handoff.safeParse(handoff).error).toBeUndefined();
  expect(reportChars(handoff)).toBeLessThanOrEqual(16_384);
  expect(JSON.stringify(handoff)).toContain('[cut: ');
  expect(Buffer.from(JSON.stringify(handoff)).toString()).toBe(JSON.stringify(handoff));
});

test.each([1_000, 200, 120])('a cap of %d is held as well', (cap) => {
  const given = claim({ summary: '"'.repeat((cap - 100) / 2), evidence: ['e'] });
  expect(reportChars(given)).toBeLessThanOrEqual(cap);
  const handoff = handoffOf(given, ['\u0001'.repeat(5_000)], cap);
  expect(Handoff.safeParse(handoff).success).toBe(true);
  expect(reportChars(handoff)).toBeLessThanOrEqual(cap);
});
