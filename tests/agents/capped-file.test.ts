import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Contained } from '../../agents/containment/containment.ts';
import { readOutput } from '../../agents/output/agent-output.ts';
import { openCapped } from '../../agents/output/capped-file.ts';
import { failed } from '../../agents/faults/faults.ts';
import { nothingReported, type OutputReader } from '../../agents/provider.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { plainReceipt } from '../support/records.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('capped-file');
const MIB = 1024 * 1024;
const CAP = 3 * MIB;

/** Lines that say where they are, of `bytes` in all. */
const numbered = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes / 16 }, (_, i) => `${String(i).padStart(15, '0')}\n`).join(''));

test.each([1, 7_777, MIB, 20 * MIB])('keeps the beginning and the end, in pieces of %i bytes', async (piece) => {
  const file = path.join(folder, `pieces-${piece}`);
  const printed = numbered(piece === 1 ? CAP + 4_096 : 20 * MIB);
  const capped = await openCapped(file, CAP);
  // One at a time up to where it matters, or the test takes its time for nothing.
  const from = piece === 1 ? CAP - MIB - 16 : 0;
  if (from > 0) await capped.write(printed.subarray(0, from));
  for (let at = from; at < printed.length; at += piece) await capped.write(printed.subarray(at, at + piece));
  const leftOut = printed.length - CAP;
  expect(await capped.close()).toBe(leftOut);
  const mark = `\n[ralph: ${leftOut} bytes were left out here]\n`;
  const kept = Buffer.concat([printed.subarray(0, CAP - MIB), Buffer.from(mark), printed.subarray(-MIB)]);
  expect(readFileSync(file).equals(kept)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what fits is kept as it is', async () => {
  const file = path.join(folder, 'fits');
  const printed = numbered(CAP);
  const capped = await openCapped(file, CAP);
  for (let at = 0; at < printed.length; at += 100_000) await capped.write(printed.subarray(at, at + 100_000));
  expect(await capped.close()).toBe(0);
  expect(readFileSync(file).equals(printed)).toBe(true);
});

test('an agent that never stops printing fills no disk, is read to the end, and its record says what is missing', async () => {
  const files = { transcript: path.join(folder, 'transcript'), stderr: path.join(folder, 'stderr') };
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const contained: Contained = {
    mechanism: 'bubblewrap',
    stdout,
    stderr,
    exited: Promise.resolve({ code: 0, signal: null }),
    cpuMs: async () => null,
    dispose: async () => plainReceipt(),
  };
  const lines: string[] = [];
  const reader: OutputReader = {
    line(text) {
      lines.push(text);
      return null;
    },
    use: () => nothingReported,
    reported: () => false,
    hasFailed: () => false,
    finish: async () => ({ report: failed('report-missing', 'it printed numbers', null), finalText: null }),
  };
  const redacting = { redactor: new Redactor(), beforeWrite: async () => {} };
  const output = readOutput({
    contained,
    reader,
    files,
    caps: { transcript: CAP, stderr: CAP },
    ...redacting,
    onActivity: () => {},
  });
  const printed = numbered(5 * MIB);
  stdout.end(printed);
  stderr.end('a word');
  await Promise.all([finished(stdout), finished(stderr)]);
  await output.finish();
  expect(output.notes()).toEqual([
    'The agent printed more than is kept: 2097152 bytes are missing from the middle of its transcript.',
  ]);
  expect(lines.length).toBe(printed.length / 16);
  expect(statSync(files.transcript).size).toBeLessThan(CAP + 100);
  expect(readFileSync(files.stderr, 'utf8')).toBe('a word');
});
