import { claudeCode } from '../../fixtures/agents/programs.ts';
import { programRound, type ProgramRound } from '../../fixtures/agents/program-round.ts';
import { installAgent } from '../../fixtures/agents/install-agent.ts';
import type { Step } from '../../fixtures/agents/fake-model.ts';

const REPORT = { status: 'continue', summary: 's', evidence: [], nextSteps: ['n'], blocker: '' };
const ROUND_MS = 60_000;

/** A shell command that the program runs in the background: when it ends, the model gets one more turn. */
const inBackground = (command: string): Step => ({
  tool: 'Bash',
  input: { command, description: 'work', run_in_background: true },
});
const report = claudeCode.report(REPORT);
const noCredit = {
  status: 400,
  body: { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
};

let ran: ProgramRound | null = null;
beforeAll(() => {
  installAgent(claudeCode.package);
}, 300_000);
afterEach(() => {
  ran?.workspace.remove();
  ran = null;
});

test.each([
  ['ends in prose', { text: 'The task has ended.' }],
  ['meets an error of the API', noCredit],
])(
  'the real Claude Code: a report stands when a background task ends after it and the extra turn %s',
  async (_, extraTurn) => {
    ran = await programRound(claudeCode, { steps: [inBackground('sleep 2'), report, extraTurn] });
    // Only with the extra turn does this test what it says.
    expect(ran.sent.split('structured-output').length + ran.sent.split('task-notification').length).toBeGreaterThan(2);
    expect(ran.reading.report).toEqual({ kind: 'candidate', value: REPORT });
    expect(ran.ended).toBe('exited');
  },
  ROUND_MS,
);

test(
  'the real Claude Code: an agent that waits for its own background task is not cut off, and its report counts',
  async () => {
    const waiting = { text: 'I wait for the task.' };
    // Longer than the grace period after a report. It asks for the report once before it gives up the turn.
    ran = await programRound(claudeCode, { steps: [inBackground('sleep 8'), waiting, waiting, report] });
    expect(ran.reading.report).toEqual({ kind: 'candidate', value: REPORT });
    expect(ran.ended).toBe('exited');
  },
  ROUND_MS,
);
