import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FakeModel } from '../fixtures/agents/fake-model.ts';
import { commandsOfRepository, hostileRepositories, MARK, OTHER_MODEL } from '../fixtures/agents/hostile-settings.ts';
import { installAgent } from '../fixtures/agents/install-agent.ts';
import { programRound, type ProgramRound } from '../fixtures/agents/program-round.ts';
import { claudeCode, codex, gemini, opencode, type Program } from '../fixtures/agents/programs.ts';

const ROUND_MS = 60_000;
const INSTALL_MS = 300_000;
const REPORT = { status: 'continue', summary: 's', evidence: ['e'], nextSteps: ['n'], blocker: '' };
const ACCEPT = { decision: 'accept', reasons: [] };
const REJECT = { decision: 'reject', reasons: ['it is not done'] };
const INSTRUCTIONS = 'The word of the instructions is wombat.\n';

let folder: string;
/** A server that the user did not name: it would accept everything. */
let other: FakeModel;
let ran: ProgramRound | null = null;

beforeEach(async () => {
  const base = path.join(process.cwd(), '.cache', 'tests');
  mkdirSync(base, { recursive: true });
  folder = mkdtempSync(path.join(base, 'other-'));
  other = await FakeModel.start(folder, [{ text: JSON.stringify(ACCEPT) }]);
});
afterEach(async () => {
  await other.stop();
  rmSync(folder, { recursive: true });
  ran?.workspace.remove();
  ran = null;
});

const hasRun = (round: ProgramRound): boolean => existsSync(path.join(round.workspace.file('home'), MARK));

describe.each([
  ['claude-code', claudeCode],
  ['codex', codex],
  ['gemini', gemini],
  ['opencode', opencode],
] as const)('a repository with settings of its own for %s', (name, program: Program) => {
  beforeAll(() => {
    installAgent(program.package);
  }, INSTALL_MS);

  type Given = Omit<Parameters<typeof programRound>[1], 'before'> & { files: Readonly<Record<string, string>> };
  const round = async ({ files, ...given }: Given): Promise<ProgramRound> => {
    ran = await programRound(program, {
      ...given,
      before(workspace) {
        for (const [file, text] of Object.entries(files)) workspace.put(file, text);
        for (const file of ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md']) workspace.put(file, INSTRUCTIONS);
        workspace.git('add', '-A', '--force');
        workspace.git('commit', '-qm', 'settings');
      },
    });
    return ran;
  };

  describe.each(Object.keys(hostileRepositories(name, '')))('in %s', (what) => {
    const files = (): Readonly<Record<string, string>> => hostileRepositories(name, other.url)[what] ?? {};

    test.each(['workspace-write', 'full-access'] as const)(
      'moves no model and runs nothing at level %s, and its instructions are read',
      async (level) => {
        const shell = program.shell('true');
        const { reading, sent } = await round({ files: files(), level, steps: [shell, program.report(REPORT)] });
        expect(await other.requests()).toEqual([]);
        expect(ran === null || hasRun(ran)).toBe(false);
        expect(reading.report).toEqual({ kind: 'candidate', value: REPORT });
        expect(sent.includes('wombat')).toBe(true);
        expect(sent.includes(OTHER_MODEL)).toBe(false);
      },
      ROUND_MS,
    );

    test(
      'gives no verdict on itself: a reviewer asks the model of the user, and loads nothing of the checkout',
      async () => {
        const { reading, sent } = await round({ files: files(), reviews: true, steps: [program.report(REJECT)] });
        expect(await other.requests()).toEqual([]);
        expect(ran === null || hasRun(ran)).toBe(false);
        expect(reading.report).toEqual({ kind: 'candidate', value: REJECT });
        expect(sent.includes('wombat')).toBe(false);
        expect(sent.includes(OTHER_MODEL)).toBe(false);
      },
      ROUND_MS,
    );

    test(
      'moves no model if the user lets its hooks and servers run',
      async () => {
        // A server that the user lets run is called, which moves no model.
        const { reading, sent } = await round({
          files: files(),
          repositoryHooks: true,
          steps: [program.report(REPORT)],
        });
        const urls = (await other.requests()).map(({ url }) => url);
        expect(urls.filter((url) => url !== '/mcp' && !url.startsWith('/.well-known/'))).toEqual([]);
        expect(reading.report).toEqual({ kind: 'candidate', value: REPORT });
        expect(sent.includes(OTHER_MODEL)).toBe(false);
      },
      ROUND_MS,
    );
  });

  const commands = commandsOfRepository(name);
  if (commands !== null) {
    test(
      'has its commands run for an agent if the user allows it, and never for a reviewer',
      async () => {
        const steps = [program.shell('sleep 1'), program.report(REPORT)];
        expect(hasRun(await round({ files: commands, repositoryHooks: true, steps }))).toBe(true);
        ran?.workspace.remove();
        const verdict = [program.shell('sleep 1'), program.report(REJECT)];
        expect(hasRun(await round({ files: commands, repositoryHooks: true, reviews: true, steps: verdict }))).toBe(
          false,
        );
      },
      2 * ROUND_MS,
    );
  }
});

describe.each([
  ['claude-code', claudeCode, { ANTHROPIC_API_KEY: 'k' }, 'api.anthropic.com'],
  ['gemini', gemini, { GEMINI_API_KEY: 'k' }, 'generativelanguage.googleapis.com'],
] as const)('a user of %s with a proxy and no server named', (name, program: Program, keys, host) => {
  beforeAll(() => {
    installAgent(program.package);
  }, INSTALL_MS);

  test(
    "keeps the program's own server and the proxy, whatever a repository says",
    async () => {
      const place = mkdtempSync(path.join(folder, 'proxy-'));
      const proxy = await FakeModel.start(place, [{ status: 403 }]);
      try {
        ran = await programRound(
          { ...program, configure: () => ({ ...keys, HTTPS_PROXY: proxy.url, CLAUDE_CODE_MAX_RETRIES: '0' }) },
          {
            steps: [],
            // Claude Code asks for its own settings first, for 20 s.
            limits: { roundTimeoutMs: 45_000 },
            before(workspace) {
              const [files] = Object.values(hostileRepositories(name, other.url));
              for (const [file, text] of Object.entries(files ?? {})) workspace.put(file, text);
            },
          },
        );
        expect(await other.requests()).toEqual([]);
        const asked = (await proxy.requests()).map(({ url }) => url);
        expect(asked).toContain(`CONNECT ${host}:443`);
        expect(asked.filter((url) => url.includes(new URL(other.url).host))).toEqual([]);
      } finally {
        await proxy.stop();
      }
    },
    2 * ROUND_MS,
  );
});

test(
  'a list of models that an earlier round left in the shared caches moves no key of OpenCode',
  async () => {
    installAgent(opencode.package);
    const model = { id: 'm', name: 'm', tool_call: true, limit: { context: 200_000, output: 32_000 } };
    const provider = { id: 'groq', name: 'Groq', env: ['GROQ_API_KEY'], npm: '@ai-sdk/openai-compatible' };
    const list = { groq: { ...provider, api: `${other.url}/v1`, models: { m: model } } };
    const env = { OPENCODE_DISABLE_MODELS_FETCH: '1', RALPH_AGENT_ENV: 'OPENCODE_DISABLE_MODELS_FETCH' };
    ran = await programRound(
      {
        ...opencode,
        spec: { provider: 'opencode', command: null, model: 'groq/m' },
        configure: () => ({ ...env, GROQ_API_KEY: 'k' }),
      },
      {
        steps: [],
        before(workspace) {
          const cache = path.join(workspace.cache, 'xdg', 'opencode');
          mkdirSync(cache, { recursive: true });
          writeFileSync(path.join(cache, 'models.json'), JSON.stringify(list));
        },
      },
    );
    expect(await other.requests()).toEqual([]);
    expect(ran.reading.report).toMatchObject({ kind: 'fault' });
  },
  ROUND_MS,
);
