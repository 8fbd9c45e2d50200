import { installAgent } from '../../fixtures/agents/install-agent.ts';
import { programRound } from '../../fixtures/agents/program-round.ts';
import { codex, type Program } from '../../fixtures/agents/programs.ts';

const REPORT = { status: 'continue', summary: 's', evidence: [], nextSteps: ['n'], blocker: '' };

beforeAll(() => {
  installAgent(codex.package);
}, 300_000);

test('the real codex calls no host but that of its model', async () => {
  // The model's server is its proxy as well, and notes what it is asked to connect to.
  const proxied: Program = {
    ...codex,
    configure: (server) => ({ ...codex.configure(server), HTTPS_PROXY: server.url, NO_PROXY: '127.0.0.1' }),
  };
  const ran = await programRound(proxied, { steps: [codex.shell('sleep 3'), codex.report(REPORT)] });
  try {
    expect(ran.reading.report).toEqual({ kind: 'candidate', value: REPORT });
    expect(ran.sent.match(/CONNECT [^"]+/g)).toBeNull();
  } finally {
    ran.workspace.remove();
  }
});
