import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installAgent } from '../../fixtures/agents/install-agent.ts';
import { programRound } from '../../fixtures/agents/program-round.ts';
import { claudeCode, type Program } from '../../fixtures/agents/programs.ts';

const LOGIN = {
  claudeAiOauth: {
    accessToken: 'sk-ant-oat01-stand-in',
    refreshToken: 'sk-ant-ort01-stand-in',
    expiresAt: Date.now() + 86_400_000,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  },
};

/** Claude Code as a user has it who logged in: no key is set. */
const loggedIn: Program = {
  ...claudeCode,
  configure({ url, userHome }) {
    mkdirSync(path.join(userHome, '.claude'), { recursive: true });
    writeFileSync(path.join(userHome, '.claude/.credentials.json'), JSON.stringify(LOGIN));
    return { ANTHROPIC_BASE_URL: url };
  },
};

beforeAll(() => {
  installAgent(claudeCode.package);
}, 300_000);

test('a login of the real claude-code that is rejected is named, with the command that logs in again', async () => {
  const ran = await programRound(loggedIn, { steps: [{ status: 401 }], limits: { roundTimeoutMs: 60_000 } });
  try {
    expect(ran.reading.report).toMatchObject({
      fault: {
        code: 'bad-credentials',
        login: true,
        message: expect.stringMatching(/\/\.claude\/\.credentials\.json: log in again with `claude auth login`/),
      },
    });
    expect(ran.requests).toBeLessThan(6);
  } finally {
    ran.workspace.remove();
  }
});
