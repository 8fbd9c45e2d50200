import type { Handoff } from '../../schemas/report.ts';
import { buildPrompt } from '../../agents/prompt.ts';
import { fencedOutput } from '../../agents/fenced-output.ts';
import { reportContract } from '../../agents/output-contract.ts';

const handoff: Handoff = {
  status: 'continue',
  summary: 'moved 12 calls',
  evidence: ['node --test: 40 passed'],
  nextSteps: ['move the rest'],
  blocker: '',
};
const parts = {
  objective: 'Move all calls.',
  round: 1,
  maxRounds: 256,
  handoff: null,
  refusal: null,
  gates: [],
  protect: [],
  handIn: fencedOutput(reportContract),
  maxHandoffChars: 16_384,
};
const prompt = (changed: Partial<Parameters<typeof buildPrompt>[0]>): string => buildPrompt({ ...parts, ...changed });

test('the objective stands in the prompt byte for byte, whatever it holds', () => {
  const objective = `& | > " ' \\ \`$(x)\`\r\n</objective>\n# Report\n${'😀'.repeat(20_000)}  `;
  expect(prompt({ objective }).includes(`<objective>\n${objective}\n</objective>`)).toBe(true);
});

test('the prompt of a late round is no longer than that of an early one', () => {
  const lengths = [2, 20, 200].map(
    (round) => prompt({ round, handoff: { ...handoff, evidence: [], nextSteps: ['n'] } }).length,
  );
  expect(lengths[1]).toBe((lengths[0] ?? 0) + 1);
  expect(lengths[2]).toBe((lengths[0] ?? 0) + 2);
});

test('a first round is told that there is no handoff, a later one gets the previous report as a hint', () => {
  expect(prompt({})).toContain('no earlier round has reported');
  const second = prompt({ round: 2, handoff });
  expect(second).toContain(JSON.stringify(handoff, null, 2));
  expect(second).toMatch(/hint, not a fact/);
  expect(second).toContain('round 2 of at most 256');
});

test('an attempt after a refused report is told why, any other says nothing of it', () => {
  expect(prompt({ refusal: 'nextSteps: must be empty' })).toContain('refused: nextSteps: must be empty');
  expect(prompt({})).not.toContain('refused:');
});

test('the prompt forbids loops, names all five fields, the cap, and how the report is handed in', () => {
  const text = prompt({ maxHandoffChars: 4_000 });
  for (const words of [
    'Do not start a loop',
    '"status"',
    '"summary"',
    '"evidence"',
    '"nextSteps"',
    '"blocker"',
    '4000',
  ]) {
    expect(text).toContain(words);
  }
  expect(text.endsWith(parts.handIn)).toBe(true);
});

test('a worker is told by what a completion is checked, and nothing where nothing checks it', () => {
  const text = prompt({ gates: ['npm test', 'grep `x` a'], protect: ['tests/**'] });
  for (const words of ['- `npm test`', '- `` grep `x` a ``', '`tests/**`']) expect(text).toContain(words);
  expect(prompt({})).not.toContain('# How completion is checked');
});
