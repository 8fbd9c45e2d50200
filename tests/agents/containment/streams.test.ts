import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const { built, folder, start } = standInWorkers();

test.each([
  { mechanism: 'bubblewrap', level: 'read-only' },
  { mechanism: 'bubblewrap', level: 'workspace-write' },
  { mechanism: 'bubblewrap', level: 'full-access' },
  { mechanism: 'subreaper', level: 'full-access' },
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

test('eight commands of a worker take one mkfifo, and each has streams of its own', async () => {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\necho once >> ${bin}/calls\nexec /usr/bin/mkfifo "$@"\n`;
  writeFileSync(path.join(bin, 'mkfifo'), script, { mode: 0o755 });
  const worker = await start({ env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } });
  const setting = { ...built, mechanism: 'bubblewrap', level: 'workspace-write' } as const;
  for (let i = 1; i <= 8; i += 1) {
    const { command } = attemptOf(setting, { script: `echo said ${i}; echo warned ${i} >&2` });
    const answer = await worker.ask({ run: { mechanism: 'bubblewrap', command } });
    expect(answer).toMatchObject({ stdout: `said ${i}\n`, stderr: `warned ${i}\n` });
    expect(readdirSync(path.dirname(command.fenceFile)).filter((name) => name.startsWith('.'))).toEqual([]);
  }
  expect(readFileSync(path.join(bin, 'calls'), 'utf8')).toBe('once\n');
});
