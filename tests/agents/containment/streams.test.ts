import { readdirSync } from 'node:fs';
import path from 'node:path';
import { attemptOf } from './disposal-cases.ts';
import { standInWorkers } from './stand-in-workers.ts';

// By path, as a Makefile or a setup script names them: `>&2` alone needs no opening.
const SCRIPT = [
  'set -e',
  'echo warned > /dev/stderr',
  'echo said > /dev/stdout',
  'echo both | tee /dev/stderr',
  'cat /dev/stdin',
  'cat',
].join('; ');

const { built, start } = standInWorkers();

test.each([
  { mechanism: 'bubblewrap', level: 'read-only' },
  { mechanism: 'bubblewrap', level: 'workspace-write' },
  { mechanism: 'bubblewrap', level: 'full-access' },
  { mechanism: 'keeper', level: 'full-access' },
  { mechanism: 'process-group', level: 'full-access' },
] as const)('a command opens its streams by their paths: $mechanism at $level', async ({ mechanism, level }) => {
  const setting = { ...built, mechanism, level };
  const worker = await start();
  const { command } = attemptOf(setting, { script: SCRIPT });
  const answer = await worker.ask({ run: { mechanism, command } });
  expect(answer).toMatchObject({
    exit: { code: 0 },
    stdout: 'said\nboth\nthe prompt\nthe prompt\n',
    stderr: 'warned\nboth\n',
  });
  expect(readdirSync(path.dirname(command.fenceFile)).filter((name) => name.startsWith('.'))).toEqual([]);
});
