import { mkdirSync, writeFileSync } from 'node:fs';
import { MAX_OUTPUT_BYTES } from '../../agents/containment/start/run-contained.ts';
import { gateOutput, keepEnd, keepEnds } from '../../activities/verification/gate-output.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { MAX_GATE_OUTPUT_CHARS } from '../../schemas/verification/gate.ts';
import { checkPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = runPaths(tempFolder('gate-output'), 'a-run');
let count = 0;

function printed(stdout: string | Buffer, stderr: string | Buffer = '') {
  const paths = checkPaths(run, 1, (count += 1)).step(1);
  mkdirSync(paths.root, { recursive: true });
  writeFileSync(paths.transcript, stdout);
  writeFileSync(paths.stderr, stderr);
  return gateOutput({ run, paths, redactor: new Redactor() });
}

test('a short output is whole, stdout before stderr', async () => {
  expect((await printed('out\n', 'err\n')).output).toBe('out\nerr');
  expect((await printed('', 'err\n')).output).toBe('err');
  expect((await printed('', '')).output).toBe('');
});

test('of a huge output there is the end, within the cap, marked, of both streams and in whole characters', async () => {
  const { output } = await printed(`${'🙂'.repeat(200_000)}OUT`, `${'é'.repeat(200_000)}ERR`);
  expect(output.length).toBeLessThanOrEqual(MAX_GATE_OUTPUT_CHARS);
  expect(output.length).toBeGreaterThan(MAX_GATE_OUTPUT_CHARS - 100);
  expect(output.match(/the beginning is left out/g)).toHaveLength(2);
  expect(output).toMatch(/🙂OUT\n/);
  expect(output.endsWith('éERR')).toBe(true);
  expect(Buffer.from(output, 'utf8').toString('utf8')).toBe(output);
  expect(output).not.toContain('\uFFFD');
});

test('an output of which a part was dropped is never the same failure again', async () => {
  const cut = Buffer.alloc(MAX_OUTPUT_BYTES, 'x');
  expect((await printed(cut)).outputHash).not.toBe((await printed(cut)).outputHash);
  expect((await printed('x\n')).outputHash).toBe((await printed('x\n')).outputHash);
});

test('a short stream leaves its room to the long one', () => {
  expect(keepEnds('x'.repeat(500), 'short', 100)).toHaveLength(100);
  expect(keepEnds('x'.repeat(500), 'short', 100).endsWith('x\nshort')).toBe(true);
  expect(keepEnds('short', 'x'.repeat(500), 100).startsWith('short\n')).toBe(true);
  expect(keepEnd('a🙂', 2)).not.toMatch(/^[\uDC00-\uDFFF]/);
});

test('nothing that a terminal or a reader acts upon is left in it', async () => {
  const { output } = await printed('\u001b[31mred\u001b[0m \u001b]0;title\u0007 a\u0000b \u202eevil\r\nline\tend');
  expect(output).toBe('red ]0;title ab evil\nline\tend');
});

test('bytes that are no UTF-8 are marked as such', async () => {
  expect((await printed(Buffer.from([0x61, 0xff, 0x62]))).output).toBe('a\uFFFDb');
});

/** What a test runner prints, and what npm does. */
const at = (check: string, said: string): string =>
  `FAIL ${run.root}/check/a.test.js ${check}\n  ${said}\nTime: ${count}.5 s\n`;
const log = (): string =>
  `log: ${checkPaths(run, 1, count + 1).step(1).home}/_logs/2026-01-0${count % 9}T01_02_03_004Z.log\n`;

test('the same failure has the same hash at another time, in another check and in other colours; another has not', async () => {
  const one = await printed(at('(12 ms)', 'expected 1'), log());
  const same = await printed(at('\u001b[31m(13 ms)\u001b[0m', 'expected 1'), log());
  const other = await printed(at('(12 ms)', 'expected 2'), log());
  expect(same.outputHash).toBe(one.outputHash);
  expect(other.outputHash).not.toBe(one.outputHash);
  expect(one.outputHash).toMatch(/^[0-9a-f]{64}$/);
  // A difference far before the end counts as well, and so does which stream it was.
  const far = 'y\n'.repeat(50_000);
  expect((await printed(`1\n${far}`)).outputHash).not.toBe((await printed(`2\n${far}`)).outputHash);
  expect((await printed('z\n')).outputHash).not.toBe((await printed('', 'z\n')).outputHash);
});
