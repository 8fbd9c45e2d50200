import { environmentSecrets } from '../../redaction/environment-secrets.ts';
import { fieldSecrets } from '../../redaction/field-secrets.ts';

const valuesOf = (env: Record<string, string>, handed: string[] = []): string[] =>
  environmentSecrets(env, new Set(handed)).map(({ value }) => value);

test('takes values whose name tells that they are secret, handed to agents or not', () => {
  const env = {
    ANTHROPIC_API_KEY: 'abc-1234',
    PGPASSWORD: 'hunter2hunter2',
    DB_TOKEN: 'x1y2z3w4',
    MY_SECRET_ID: '12345678',
  };
  expect(valuesOf(env)).toEqual(Object.values(env));
});

test('takes what is handed under another name, but no setting', () => {
  const env = {
    SOMETHING: 'correct-horse-battery-1',
    AWS_REGION: 'ap-southeast-2-and-more',
    ANTHROPIC_BASE_URL: 'https://models.example.org/v1',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1234567890123456789',
    NODE_ENV: 'development',
  };
  expect(valuesOf(env, Object.keys(env))).toEqual(['correct-horse-battery-1']);
  expect(valuesOf(env)).toEqual([]);
});

test('spares what any text may hold: short values, plain words, paths of this machine', () => {
  expect(
    valuesOf({ A_KEY: 'short', B_PASSWORD: 'password', SSH_AUTH_SOCK: process.execPath, PWD: process.cwd() }),
  ).toEqual([]);
});

test('takes passwords out of URLs, tokens out of headers, and keys of several lines line by line', () => {
  expect(valuesOf({ HTTPS_PROXY: 'http://me:s3cret%2Fpass@proxy.example:8080' })).toEqual(['s3cret/pass']);
  expect(valuesOf({ X_HEADERS: 'x-org: abc\nAuthorization: Bearer abcdef1234567' })).toContain('abcdef1234567');
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
  expect(valuesOf({ SIGNING_KEY: `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----` })).toEqual([line]);
});

test('takes tokens out of login files, JSON and TOML', () => {
  const claude = JSON.stringify({
    claudeAiOauth: {
      accessToken: 'acc-0123456789',
      refreshToken: 'ref-0123456789',
      expiresAt: 1,
      scopes: ['user:inference'],
    },
  });
  const opencode = JSON.stringify({
    openai: { type: 'oauth', refresh: 'ref/0123456789', access: 'acc"0123456789', expires: 1 },
  });
  const toml =
    'model = "a-model-of-somebody"\nenv_key = "OPENAI_API_KEY"\napi_key = "k-0123456789abc"\nbase_url = "https://x.example.org/token"';
  const values = [claude, opencode, toml].flatMap((text) => fieldSecrets('login', text).map(({ value }) => value));
  expect(values).toEqual(['acc-0123456789', 'ref-0123456789', 'ref/0123456789', 'acc"0123456789', 'k-0123456789abc']);
});
