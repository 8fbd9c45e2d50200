import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { passedEnvironment } from '../../agents/run/environment.ts';
import { copyHomeFiles } from '../../agents/logins/home-files.ts';
import { providerOf } from '../../agents/registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ralph-home-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const codex = providerOf({ provider: 'codex', command: null, model: null });

test('login and settings files come into the private home as copies that its owner alone reads', async () => {
  const user = path.join(folder, 'user');
  const home = path.join(folder, 'home');
  mkdirSync(path.join(user, '.codex'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(user, '.codex', 'auth.json'), '{"token":1}', { mode: 0o644 });
  writeFileSync(path.join(user, '.codex', 'history.jsonl'), 'an earlier conversation');
  await copyHomeFiles(codex.homeFiles({ HOME: user }), home);

  const copy = path.join(home, '.codex', 'auth.json');
  expect(readFileSync(copy, 'utf8')).toBe('{"token":1}');
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(existsSync(path.join(home, '.codex', 'history.jsonl'))).toBe(false);
  writeFileSync(copy, 'changed by the agent');
  expect(readFileSync(path.join(user, '.codex', 'auth.json'), 'utf8')).toBe('{"token":1}');
});

test('a stated CODEX_HOME is where the login is looked for', () => {
  expect(codex.homeFiles({ HOME: '/h', CODEX_HOME: '/c' })[0]?.from).toBe('/c/auth.json');
  expect(codex.homeFiles({})).toEqual([]);
});

test('an agent gets the names of its provider and those the owner listed, and no other', () => {
  const workerEnv = {
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'other',
    AWS_SECRET_ACCESS_KEY: 'other',
    MY_PROXY_TOKEN: 't',
    CODEX_API_KEY: '',
    RALPH_AGENT_ENV: 'MY_PROXY_TOKEN,NOT_SET',
  };
  expect(passedEnvironment(codex, workerEnv)).toEqual({ OPENAI_API_KEY: 'k', MY_PROXY_TOKEN: 't' });
});
