import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentRun } from '../../agents/run/run-agent.ts';
import { checkWorkerHas, providerOf, providers } from '../../agents/registry.ts';
import { isOlder, programVersion, versionText } from '../../agents/run/program-version.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { claudeCode, codex, gemini, opencode } from '../fixtures/agents/programs.ts';
import { Workspace } from '../fixtures/agents/workspace.ts';

const spec: AgentSpec = { provider: 'codex', command: null, model: null };
const provider = providerOf(spec);
const fresh = { alive: false };

let workspace: Workspace;
let bin: string;
beforeEach(() => {
  workspace = new Workspace();
  bin = path.join(workspace.root, 'bin');
});
afterEach(() => workspace.remove());

/** A small program in the place of Codex. */
function put(script: string): { PATH: string; OPENAI_API_KEY: string } {
  mkdirSync(bin, { recursive: true });
  const file = path.join(bin, 'codex');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${bin}:/usr/bin:/bin`, OPENAI_API_KEY: 'k' };
}

test('each program is tested in the version that its provider names, and needs no later one', () => {
  const tested = [claudeCode, codex, gemini, opencode].map(({ package: { version } }) => version);
  const named = providers.flatMap(({ program }) => (program === null ? [] : [program]));
  expect(named.map(({ testedVersion }) => testedVersion)).toEqual(tested);
  for (const { leastVersion, testedVersion } of named) expect(isOlder(testedVersion, leastVersion)).toBe(false);
});

test.each([
  ['1.9.0', '1.10.0', true],
  ['1.10.0', '1.9.9', false],
  ['2.0.0', '1.99.99', false],
  ['1.2.3', '1.2.3', false],
])('whether %s is older than %s goes by numbers: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});

test('a program is asked for its version once, in a HOME of its own, and again when its file is another one', async () => {
  const asked = path.join(workspace.root, 'asked');
  const env = put(`echo "$1 $HOME" >> ${asked}; echo "codex-cli 0.171.0 (build 7)"`);
  expect(await programVersion(provider, env)).toBe('0.171.0');
  expect(await programVersion(provider, env)).toBe('0.171.0');
  const lines = readFileSync(asked, 'utf8').trimEnd().split('\n');
  expect(lines).toEqual([expect.stringMatching(/^--version .*ralph-version-/)]);
  put('echo "codex-cli 0.172.0, later"');
  expect(await programVersion(provider, env)).toBe('0.172.0');
});

test.each([
  ['that states none', 'echo hello'],
  ['that fails', 'echo 0.1.0; exit 3'],
  ['that prints without end', 'yes 0.1.0'],
])('a program %s has an unknown version, and is tried', async (_, script) => {
  const env = put(script);
  await expect(checkWorkerHas(spec, env, fresh)).resolves.toBeNull();
  expect(versionText(provider, null)).toContain('whose version is unknown');
});

test('a program that is older than what the provider needs is rejected with the line that installs a later one', async () => {
  const env = put('echo "codex-cli 0.1.2"');
  await expect(checkWorkerHas(spec, env, fresh)).rejects.toThrow(
    expect.objectContaining({ code: 'agent-program-too-old', exit: 2 }),
  );
  await expect(checkWorkerHas(spec, env, fresh)).rejects.toThrow(
    /needs codex [\d.]+ or later, and on PATH is codex 0\.1\.2\. .*npm install -g @openai\/codex@[\d.]+\)/,
  );
});

test('a version other than the tested one is named', () => {
  expect(versionText(provider, '0.171.0')).toBe('codex 0.171.0');
  expect(versionText(provider, '0.170.0')).toMatch(/^codex 0\.170\.0 \(older than 0\.171\.0, which this engine/);
  expect(versionText(provider, '0.172.0')).toMatch(/newer than/);
});

async function ran(script: string): Promise<AgentRun> {
  return await workspace.run({ spec, workerEnv: put(script) });
}
const versionOr = (version: string, script: string): string =>
  `[ "$1" = --version ] && { echo ${version}; exit; }\n${script}`;
const UNKNOWN = `echo "error: unexpected argument '--output-schema' found" >&2; exit 2`;

test('a program that does not know an option is unavailable, and the fault says that its version was not tested', async () => {
  const { reading, version } = await ran(versionOr('0.170.0', UNKNOWN));
  expect(version).toBe('0.170.0');
  expect(reading.report).toMatchObject({
    fault: {
      code: 'agent-unavailable',
      message: expect.stringMatching(
        /unexpected argument .*codex 0\.170\.0 is older than the version this engine was tested with: npm install.*@0\.171\.0/,
      ),
    },
  });
});

test('a program that prints how it is used has rejected its options as well', async () => {
  const { reading } = await ran(versionOr('0.172.0', `printf 'codex run\\n\\nOptions:\\n  --help\\n' >&2; exit 1`));
  expect(reading.report).toMatchObject({
    fault: { code: 'agent-unavailable', message: expect.stringContaining('codex 0.172.0 is newer than') },
  });
});

test('a program of unknown version that does not know an option is unavailable as well', async () => {
  const { reading, version } = await ran(UNKNOWN);
  expect(version).toBeNull();
  expect(reading.report).toMatchObject({
    fault: { code: 'agent-unavailable', message: expect.stringContaining('its version is unknown') },
  });
});

test.each([
  ['that has begun to work', `echo '{"type":"error","message":"x"}'; ${UNKNOWN}`, '0.170.0'],
  ['of the tested version', UNKNOWN, '0.171.0'],
  ['that fails of something else', 'echo "out of memory" >&2; exit 2', '0.170.0'],
])('a program %s has crashed', async (_, script, version) => {
  const { reading } = await ran(versionOr(version, script));
  expect(reading.report).toMatchObject({ fault: { code: 'agent-crashed' } });
});
