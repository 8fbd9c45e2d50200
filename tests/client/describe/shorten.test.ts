import { withinLines } from '../../../client/describe/shorten.ts';
import { Handoff } from '../../../schemas/round/report.ts';
import { ended } from '../../support/description.ts';
import { checkRow } from '../../support/run-view.ts';

const tap = Array.from({ length: 80 }, (_, i) => `ok ${i} - case ${i}\n  ---\n  duration_ms: 0.4\n  ...`);
const step = `Make the gate "npm test" pass: it failed with exit code 1. Its output ends:\n${[...tap, 'not ok 81 - adds', '  5 !== 6'].join('\n')}`;
const handoff = Handoff.parse({ status: 'continue', summary: 's', evidence: [], nextSteps: [step], blocker: '' });

test('why is read at a glance, however much a gate printed and however often it did', () => {
  const checks = [1, 2, 3, 4, 5].map((round) => checkRow({ round }));
  const why = ended(
    { status: 'budget-limited', rounds: 5, commit: 'c', ref: null, budget: 'rounds', reason: '', handoff },
    { checks },
  );
  const lines = [why.headline, ...why.said, ...why.evidence, '', ...why.next.map(({ command }) => command)]
    .join('\n')
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(lines.join('\n')).toContain('Its output ends:\nnot ok 81 - adds\n  5 !== 6');
  expect(lines.join('\n')).not.toContain('ok 7 ');
});

test('the longest text gives way, none to less than a few lines', () => {
  const long = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n');
  const shown = withinLines(['one', long, 'two'], 10);
  expect(shown.join('\n').split('\n')).toHaveLength(10);
  expect(shown[1]).toMatch(/^line 0\nline 23\n/);
  expect(withinLines(['one', 'a\nb'], 1)).toEqual(['one', 'a\nb']);
});
