import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseEnvironment } from '../../../agents/containment/bubblewrap/base-environment.ts';
import { makeScratch } from './attempt.ts';
import { attemptOf } from './disposal-cases.ts';
import { fillSandboxTable } from './sandbox-table.ts';
import { documentedSandboxTable } from './sandbox-table-documented.ts';
import { buildContainment, startStandInWorker } from './stand-in-worker.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

test('each sandbox level lets through what docs/sandbox.md says, and nothing else', async () => {
  const build = buildContainment(scratch.folder);
  expect(await fillSandboxTable({ build, uid: null })).toEqual(
    documentedSandboxTable({ root: process.geteuid?.() === 0 }),
  );
});

test.each(['read-only', 'workspace-write'] as const)(
  'a command can read the certificates that a variable names, and change nothing there: %s',
  async (level) => {
    const build = buildContainment(scratch.folder);
    const home = path.join(build, 'certified');
    const at = (name: string): string => path.join(home, name);
    mkdirSync(at('.company/authorities'), { recursive: true });
    for (const name of ['ca.pem', '.company/bundle.pem', '.company/authorities/one.pem', '.company/key']) {
      writeFileSync(at(name), `${name}\n`);
    }
    const workerEnv = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      NODE_EXTRA_CA_CERTS: at('ca.pem'),
      REQUESTS_CA_BUNDLE: at('.company/bundle.pem'),
      SSL_CERT_DIR: at('.company/authorities'),
      // Not there: nothing is to be shown, and nothing fails.
      CURL_CA_BUNDLE: at('gone.pem'),
    };
    const worker = await startStandInWorker({ build, uid: null, env: workerEnv });
    const script = `cat "$NODE_EXTRA_CA_CERTS" "$REQUESTS_CA_BUNDLE" "$SSL_CERT_DIR"/*; cat ${at('.company/key')}; echo x > "$NODE_EXTRA_CA_CERTS"`;
    const { command } = attemptOf({ build, uid: null, mechanism: 'bubblewrap', level }, { script });
    const env = { ...baseEnvironment({ mounts: command.mounts, workerEnv }), ...command.env };
    const answer = await worker.ask({ run: { mechanism: 'bubblewrap', command: { ...command, env } } });
    worker.signal('SIGKILL');
    await worker.gone;
    expect(answer.stdout).toBe('ca.pem\n.company/bundle.pem\n.company/authorities/one.pem\n');
    expect(readFileSync(at('ca.pem'), 'utf8')).toBe('ca.pem\n');
  },
);
