import { checkReport, decodeReport } from '../../schemas/round/check-report.ts';
import { MAX_HANDOFF_CHARS, reportChars, type Report } from '../../schemas/round/report.ts';

const good = {
  continue: { status: 'continue', summary: 's', evidence: [], nextSteps: ['n'], blocker: '' },
  complete: { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' },
  blocked: { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'no key' },
} as const;

test.each(Object.values(good))('accepts a $status report and returns it as it stands', (report) => {
  expect(checkReport(report, MAX_HANDOFF_CHARS)).toEqual({ ok: true, report });
});

test.each<[string, unknown]>([
  ['an unknown status', { ...good.continue, status: 'done' }],
  ['an extra field', { ...good.continue, confidence: 1 }],
  ['an extra field named as the prototype is', JSON.parse(`{"__proto__":1,${JSON.stringify(good.continue).slice(1)}`)],
  ...['summary', 'evidence', 'nextSteps', 'blocker', 'status'].map((field): [string, unknown] => [
    `a missing ${field}`,
    Object.fromEntries(Object.entries(good.continue).filter(([name]) => name !== field)),
  ]),
  ['an empty summary', { ...good.continue, summary: '' }],
  ['a blank summary', { ...good.continue, summary: ' \n' }],
  ['an empty item of evidence', { ...good.continue, evidence: [''] }],
  ['"continue" without a next step', { ...good.continue, nextSteps: [] }],
  ['"continue" with a blocker', { ...good.continue, blocker: 'b' }],
  ['"complete" without evidence', { ...good.complete, evidence: [] }],
  ['"complete" with a next step', { ...good.complete, nextSteps: ['n'] }],
  ['"complete" with a blocker', { ...good.complete, blocker: 'b' }],
  ['"blocked" without a blocker', { ...good.blocked, blocker: '' }],
  ['"blocked" with a blank blocker', { ...good.blocked, blocker: '  ' }],
  ['a summary that is not text', { ...good.continue, summary: 1 }],
  ['null', null],
  ['a list', [good.continue]],
  ['text', JSON.stringify(good.continue)],
])('refuses %s', (_what, value) => {
  expect(decodeReport(value, MAX_HANDOFF_CHARS)).toMatchObject({ ok: false, problem: { code: 'report-invalid' } });
});

test.each([
  ['summary', { ...good.continue, summary: 'half \ud800 a character' }],
  ['evidence.1', { ...good.continue, evidence: ['whole 🙂', '\udc00\ud83d'] }],
])('refuses text that no UTF-8 can hold, by its place: %s', (place, value) => {
  const checked = decodeReport(value, MAX_HANDOFF_CHARS);
  expect(checked).toMatchObject({ ok: false, problem: { code: 'report-invalid' } });
  expect(checked.ok ? '' : checked.problem.message).toContain(`not Unicode text: ${place} holds`);
});

test.each<[unknown, string]>([
  [{ ...good.continue, summary: 1 }, 'summary is 1, and must be text'],
  [{ ...good.continue, evidence: 'all' }, 'evidence is "all", and must be a list'],
  [{ ...good.continue, nextSteps: [{ a: 1 }] }, 'nextSteps.0 is an object, and must be text'],
  [
    { ...good.continue, blocker: `a key ${'x'.repeat(300)}` },
    /^blocker is "a key x{53}…, and must be empty unless the status is "blocked"$/.source,
  ],
  [
    [good.continue],
    'it is a list, and must be an object with the fields status, summary, evidence, nextSteps, blocker',
  ],
])('says which field, what was there and what is expected: %#', (value, told) => {
  const checked = decodeReport(value, MAX_HANDOFF_CHARS);
  const message = checked.ok ? '' : checked.problem.message.replace("the agent's report breaks its contract: ", '');
  expect(message).toMatch(told.startsWith('^') ? new RegExp(told) : told);
});

test('outer white space is trimmed where output is decoded, and an error past that point', () => {
  const padded = { ...good.blocked, summary: ' s\n', evidence: ['\te '], blocker: ' no key ' };
  expect(decodeReport(padded, MAX_HANDOFF_CHARS)).toEqual({ ok: true, report: { ...good.blocked, evidence: ['e'] } });
  expect(checkReport(padded, MAX_HANDOFF_CHARS)).toMatchObject({ ok: false, problem: { code: 'report-invalid' } });
});

test('with an unknown status all else that is wrong is told as well, in plain words', () => {
  const checked = decodeReport({ status: 'done', summary: '', nextSteps: [], extra: 1 }, MAX_HANDOFF_CHARS);
  const message = checked.ok ? '' : checked.problem.message;
  expect(message).toBe(
    'the agent\'s report breaks its contract: status is "done", and must be "continue", "complete" or "blocked"; ' +
      'summary must not be empty; evidence is missing, and must be a list; blocker is missing, and must be text; ' +
      '"extra": no such field; a report has status, summary, evidence, nextSteps, blocker',
  );
});

const filled = (chars: number, unit = 'x'): Report => {
  const empty = reportChars({ ...good.continue, summary: '', evidence: [], nextSteps: ['n'] });
  return { ...good.continue, evidence: [], nextSteps: ['n'], summary: unit.repeat((chars - empty) / unit.length) };
};

describe('the cap', () => {
  test('16,384 UTF-16 code units of serialized JSON pass and one more is refused, with both numbers', () => {
    expect(checkReport(filled(MAX_HANDOFF_CHARS), MAX_HANDOFF_CHARS).ok).toBe(true);
    expect(checkReport(filled(MAX_HANDOFF_CHARS + 1), MAX_HANDOFF_CHARS)).toEqual({
      ok: false,
      problem: {
        code: 'report-oversized',
        message: 'the report holds 16385 characters; at most 16384 are allowed',
      },
    });
  });

  test('counts an emoji as two units and an escaped character as what JSON makes of it', () => {
    const quoted: Report = { ...good.continue, evidence: [], nextSteps: ['n'], summary: '"' };
    expect(reportChars(quoted) - reportChars({ ...quoted, summary: 'x' })).toBe(1);
    expect(reportChars({ ...quoted, summary: '🙂' }) - reportChars({ ...quoted, summary: 'x' })).toBe(1);
  });

  test('a run may lower it', () => {
    expect(checkReport(filled(200), 199)).toMatchObject({ ok: false, problem: { code: 'report-oversized' } });
  });
});

test('a message about a monstrous report stays short', () => {
  const report = { ...good.continue, evidence: Array.from({ length: 5000 }, () => 1) };
  const checked = decodeReport(report, MAX_HANDOFF_CHARS);
  const message = checked.ok ? '' : checked.problem.message;
  expect(message).toMatch(/and 4992 more$/);
  expect(message.length).toBeLessThan(2500);
});
