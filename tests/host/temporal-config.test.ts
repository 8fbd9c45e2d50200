import { mkdir, writeFile } from 'node:fs/promises';
import { resolveTemporalSettings, type TemporalSettings } from '../../temporal.config.ts';
import { noBudgets } from '../../schemas/budget/budget.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

let ralphHome: string;
beforeEach(async () => {
  ralphHome = await temporaryHome();
});

const resolve = (env: Record<string, string> = {}): Promise<TemporalSettings> =>
  resolveTemporalSettings({ ralphHome, env: { HOME: ralphHome, ...env } });
const configure = (config: unknown): Promise<void> => writeFile(`${ralphHome}/config.json`, JSON.stringify(config));

/** The temporal.toml that a user of Temporal Cloud has in his home. */
async function writeToml(): Promise<void> {
  await mkdir(`${ralphHome}/.config/temporalio`, { recursive: true });
  await writeFile(
    `${ralphHome}/.config/temporalio/temporal.toml`,
    `[profile.default]\naddress = "production:7233"\nnamespace = "prod"\n
[profile.staging]\naddress = "staging:7233"\napi_key = "k"\n`,
  );
}

test('with nothing said the server is embedded, with the built-in limits', async () => {
  expect(await resolve()).toEqual({
    server: { source: 'embedded' },
    namespace: 'default',
    maxRounds: 256,
    budgets: noBudgets,
    heartbeatTimeoutMs: 60_000,
    continueAfterRounds: null,
    roundSlots: 4,
    stepSlots: 8,
    cachedWorkflows: 100,
  });
});

test('every run that may be live at once stays in memory: more round slots keep more', async () => {
  await configure({ roundSlots: 80 });
  expect(await resolve()).toMatchObject({ roundSlots: 80, cachedWorkflows: 160 });
});

test('config.json changes what it names and nothing else', async () => {
  await configure({ maxRounds: 12, continueAfterRounds: 3 });
  expect(await resolve()).toMatchObject({ maxRounds: 12, continueAfterRounds: 3, roundSlots: 4 });
});

test('config.json names ceilings of budgets as a run names its own', async () => {
  await configure({ maxTime: '8h', maxTokens: '5M', maxCost: 20, maxWait: '90m' });
  expect((await resolve()).budgets).toEqual({
    maxTimeMs: 28_800_000,
    maxTokens: 5_000_000,
    maxCostUsd: 20,
    maxWaitMs: 5_400_000,
  });
});

test('TEMPORAL_* wins over config.json, value by value', async () => {
  await configure({ temporal: { address: 'mine:7233', namespace: 'team' } });
  expect(await resolve()).toMatchObject({
    server: { source: 'external', connection: { address: 'mine:7233' } },
    namespace: 'team',
  });
  expect(await resolve({ TEMPORAL_ADDRESS: 'other:1' })).toMatchObject({
    server: { source: 'external', connection: { address: 'other:1' } },
    namespace: 'team',
  });
});

test('an API key switches TLS on, and headers are handed over', async () => {
  const env = { TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_API_KEY: 'secret', TEMPORAL_GRPC_META_X: 'y' };
  expect((await resolve(env)).server).toEqual({
    source: 'external',
    connection: { address: 'cloud:7233', apiKey: 'secret', tls: true, metadata: { x: 'y' } },
  });
});

test('a temporal.toml that lies about is not looked at', async () => {
  await writeToml();
  expect((await resolve()).server).toEqual({ source: 'embedded' });
  expect(await resolve({ TEMPORAL_ADDRESS: 'mine:7233' })).toMatchObject({ namespace: 'default' });
});

test('a temporal.toml counts when a profile or its path is named, and then replaces the section of config.json', async () => {
  await writeToml();
  await configure({ temporal: { address: 'mine:7233', namespace: 'team' } });
  expect(await resolve({ TEMPORAL_PROFILE: 'staging' })).toMatchObject({
    server: { source: 'external', connection: { address: 'staging:7233', apiKey: 'k' } },
    namespace: 'default',
  });
  const file = `${ralphHome}/.config/temporalio/temporal.toml`;
  expect(await resolve({ TEMPORAL_CONFIG_FILE: file })).toMatchObject({
    server: { source: 'external', connection: { address: 'production:7233' } },
    namespace: 'prod',
  });
  await configure({ temporal: { configFile: '.config/temporalio/temporal.toml', profile: 'staging' } });
  expect(await resolve()).toMatchObject({ server: { connection: { address: 'staging:7233' } } });
});

test.each([
  [{ TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' }, 'temporal-settings-broken', /nowhere/],
  [{ TEMPORAL_PROFILE: 'absent' }, 'temporal-settings-broken', /absent/],
  [{ TEMPORAL_API_KEY: 'k' }, 'temporal-address-missing', /^TEMPORAL_API_KEY is set/],
])('settings that name nothing usable are refused, never passed over: %j', async (env, code, message) => {
  await writeToml();
  await expect(resolve(env)).rejects.toMatchObject({ code, exit: 2, message: expect.stringMatching(message) });
});

test.each([
  ['{"maxRounds": 0}', /maxRounds/],
  ['{"maxRound": 5}', /maxRound/],
  ['{"temporal": {"address": "host"}}', /host:port/],
  ['{', /it is not JSON: line 1, column 2: it ends where/],
])('a config.json that says something unknown is refused with the place: %s', async (text, problem) => {
  await writeFile(`${ralphHome}/config.json`, text);
  await expect(resolve()).rejects.toMatchObject({ code: 'config-broken', message: expect.stringMatching(problem) });
});

test('an empty variable counts as unset', async () => {
  expect((await resolve({ TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' })).server).toEqual({ source: 'embedded' });
});
