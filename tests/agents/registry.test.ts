import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkAgent, checkWorkerHas, providerOf, rejectUnfit } from '../../agents/registry.ts';
import { type AgentSpec, ProviderName } from '../../schemas/run/agent.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'ralph-registry-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

const spec = (provider: ProviderName): AgentSpec =>
  provider === 'command' ? { provider, command: 'true', model: null } : { provider, command: null, model: null };

function put(file: string, mode = 0o600): void {
  const target = path.join(home, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, '#!/bin/sh\n');
  chmodSync(target, mode);
}

test.each(ProviderName.options)('the provider %s is under its own name and fit to be a round', (name) => {
  expect(providerOf(spec(name)).name).toBe(name);
  expect(() => {
    checkAgent(spec(name));
  }).not.toThrow();
});

test('a provider that carries a conversation over, or cannot report, is refused with the way out', () => {
  const fit = providerOf(spec('codex'));
  const inheriting = { ...fit, capabilities: { ...fit.capabilities, freshContext: false } };
  const silent = { ...fit, capabilities: { ...fit.capabilities, structuredReport: false } };
  expect(() => {
    rejectUnfit(inheriting);
  }).toThrow(expect.objectContaining({ code: 'agent-inherits-context', exit: 2 }));
  expect(() => {
    rejectUnfit(silent);
  }).toThrow(expect.objectContaining({ code: 'agent-without-report', exit: 2 }));
});

test('a command that resumes a conversation is refused, and the message names the flag', () => {
  expect(() => {
    checkAgent({ provider: 'command', command: 'claude -p --continue', model: null });
  }).toThrow(/claude with --continue, which resumes an earlier conversation/);
});

/** No worker runs yet. */
const fresh = { alive: false };

const refusal = async (alive: boolean, name: 'PATH' | 'nothing'): Promise<string> => {
  put('bin/codex', 0o755);
  const env = { PATH: name === 'PATH' ? home : path.join(home, 'bin'), HOME: home };
  return await checkWorkerHas(spec('codex'), env, { alive }).then(
    () => '',
    (error: Error) => error.message,
  );
};

test('a worker is spoken of only where one runs', async () => {
  expect([await refusal(false, 'PATH'), await refusal(false, 'nothing')].join()).not.toMatch(
    /running worker|ralph down/,
  );
  expect(await refusal(true, 'PATH')).toMatch(/not on the PATH of the running worker.*ralph down, ralph up/);
  expect(await refusal(true, 'nothing')).toMatch(
    /^The running worker has no key for the agent codex.*ralph down, ralph up/,
  );
});

test('a program that is not on the PATH is refused, and the message says how to get it', async () => {
  await expect(checkWorkerHas(spec('codex'), { PATH: home, OPENAI_API_KEY: 'k' }, fresh)).rejects.toThrow(
    /needs the program codex.*npm install -g @openai\/codex/,
  );
  put('codex', 0o644);
  await expect(checkWorkerHas(spec('codex'), { PATH: home, OPENAI_API_KEY: 'k' }, fresh)).rejects.toThrow(
    /program codex/,
  );
});

test('a program without a key is refused unless there is a login, and the message names keys but no value', async () => {
  put('bin/claude', 0o755);
  const env = { PATH: path.join(home, 'bin'), HOME: home, ANTHROPIC_API_KEY: '', OTHER: 'sk-value' };
  const refused = checkWorkerHas(spec('claude-code'), env, fresh);
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'agent-key-missing', exit: 2 }));
  await expect(refused).rejects.toThrow(/ANTHROPIC_API_KEY, CLAUDE_CODE_OAUTH_TOKEN/);
  await expect(refused).rejects.not.toThrow(/sk-value/);
  await checkWorkerHas(spec('claude-code'), { ...env, CLAUDE_CODE_OAUTH_TOKEN: 't' }, fresh);
  put('.claude/.credentials.json');
  await checkWorkerHas(spec('claude-code'), env, fresh);
});

test('a command agent needs neither program nor key', async () => {
  await expect(checkWorkerHas(spec('command'), {}, fresh)).resolves.toBeNull();
});
