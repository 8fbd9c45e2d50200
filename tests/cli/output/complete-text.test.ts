import { completeText } from '../../../cli/pages/complete-text.ts';
import { strictGates } from '../../../schemas/verification/gate.ts';
import type { Verification } from '../../../schemas/run/result.ts';
import { runView } from '../support/run-view.ts';

const two = ['npm run lint', 'npm test'].map((command) => ({ command, timeoutMs: 1 }));
const codex = { provider: 'codex', command: null, model: 'gpt-5' } as const;
const report = { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' } as const;

const text = (verification: Verification, more: { gates?: typeof two; inPlace?: boolean; excused?: string[] } = {}) =>
  completeText(
    runView({
      status: 'complete',
      gates: more.gates ?? two,
      gatePolicy: { ...strictGates, inPlace: more.inPlace === true },
      reviewer: codex,
      ending: {
        status: 'complete',
        rounds: 1,
        commit: 'c',
        ref: null,
        verification,
        excusedGates: more.excused ?? [],
        report: { ...report, evidence: ['e'], nextSteps: [] },
        finalText: null,
      },
    }),
  );

test.each([
  ['complete, as the agent reports; no gate checked it', text('worker-reported', { gates: [] })],
  ['complete: 2 gates passed on a clean checkout', text('gates-passed')],
  ['complete: 2 gates passed in the workspace', text('gates-passed', { inPlace: true })],
  [
    'complete, although 1 of 2 gates still fails as before round 1: "npm test"',
    text('gates-as-before', { excused: ['npm test'] }),
  ],
  ['complete: 2 gates passed on a clean checkout, and codex (gpt-5) reviewed and accepted it', text('reviewed')],
  ['complete: codex (gpt-5) reviewed and accepted it; no gate checked it', text('reviewed', { gates: [] })],
])('%s', (expected, said) => {
  expect(said).toBe(expected);
});
