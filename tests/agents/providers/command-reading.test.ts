import { reportContract } from '../../../agents/output/output-contract.ts';
import type { LaunchContext } from '../../../agents/provider.ts';
import { command } from '../../../agents/providers/command.ts';

function contextOf(readInboxFile: LaunchContext['readInboxFile']): LaunchContext {
  return {
    spec: { provider: 'command', command: 'true', model: null },
    runId: 'r1',
    round: 1,
    maxRounds: 2,
    output: reportContract,
    tree: '/t',
    home: '/h',
    inbox: '/i',
    workerEnv: {},
    repositoryHooks: false,
    readInboxFile,
  };
}

/** What is made of a command that ended well and wrote `text` to its report file. */
async function read(text: string) {
  const reader = command.reader(
    contextOf((file) => Promise.resolve(file === '/i/report.json' ? { kind: 'text', text } : { kind: 'missing' })),
  );
  const reported = await reader.reported();
  const { report } = await reader.finish({ exit: { code: 0, signal: null }, ended: false, stderrTail: '' });
  return { reported, report };
}

const fault = (message: unknown) => ({ kind: 'fault', fault: { code: 'report-invalid', message, resetAt: null } });

test('a report file is handed on as the JSON that it holds', async () => {
  expect(await read(' {"status":"continue"}\n')).toEqual({
    reported: true,
    report: { kind: 'candidate', value: { status: 'continue' } },
  });
});

test.each([
  ['no JSON', '{"status":', expect.stringContaining('the report file does not hold JSON')],
  ['a key twice', '{"status":"continue","summary":"s","st\\u0061tus":"complete"}', 'the report has "status" twice'],
])('a report file with %s is refused, and is not waited on as a report', async (_, text, message) => {
  expect(await read(text)).toEqual({ reported: false, report: fault(message) });
});

test('of a usage file whose figures go down the highest that was seen counts, figure by figure', async () => {
  const written = [
    { inputTokens: 900, outputTokens: 10, cacheReadTokens: 5, costUsd: 0.5, model: 'm' },
    { inputTokens: 0, outputTokens: 20 },
    { inputTokens: 100, outputTokens: 0, costUsd: 0.1 },
  ].map((use) => ({ kind: 'text', text: JSON.stringify(use) }) as const);
  const reader = command.reader(contextOf(() => Promise.resolve(written.shift() ?? { kind: 'missing' })));
  await reader.use();
  await reader.use();
  await reader.use();
  expect(await reader.use()).toEqual({
    usage: { inputTokens: 900, outputTokens: 20, cacheWriteTokens: 0, cacheReadTokens: 5 },
    costUsd: 0.5,
    model: 'm',
  });
});

/** What is made of a command that wrote these files and ended with this code. */
async function ended(code: number, files: Readonly<Record<string, string>>) {
  const reader = command.reader(
    contextOf((file) => {
      const text = files[file.slice('/i/'.length)];
      return Promise.resolve(text === undefined ? { kind: 'missing' } : { kind: 'text', text });
    }),
  );
  const end = { exit: { code, signal: null }, ended: false, stderrTail: 'it broke' };
  return (await reader.finish(end)).report;
}
const LIMIT = { code: 'usage-limited', resetAt: '2026-12-01T10:00:00+01:00', text: 'the plan is\nused up' };
const REPORT = '{"status":"continue"}';

test('the fault that a command names stands for its exit and for a missing report, with the time of its limit', async () => {
  const limit = { code: 'usage-limited', message: 'the command reported: the plan is used up' };
  for (const code of [0, 1]) {
    expect(await ended(code, { 'fault.json': JSON.stringify(LIMIT) })).toEqual({
      kind: 'fault',
      fault: { ...limit, resetAt: '2026-12-01T09:00:00.000Z' },
    });
  }
});

test('a report of a command that did not fail counts, whatever fault it names beside', async () => {
  const files = { 'report.json': REPORT, 'fault.json': JSON.stringify(LIMIT) };
  expect(await ended(0, files)).toMatchObject({ kind: 'candidate' });
  expect(await ended(1, files)).toMatchObject({ fault: { code: 'usage-limited' } });
});

test.each([
  ['no JSON', '{"code":', /does not hold JSON/],
  ['nested too deep', '['.repeat(9_000), /does not hold JSON/],
  ['a code that only the engine gives', '{"code":"disposal-unproved"}', /code/],
  ['a time without a zone', '{"code":"rate-limited","resetAt":"2026-12-01T10:00:00"}', /resetAt/],
  ['a text of too many characters', JSON.stringify({ code: 'refusal', text: 'x'.repeat(5_000) }), /text/],
  ['a field too many', '{"code":"refusal","retry":true}', /retry/],
])('a fault file with %s is named, and the exit is the fault', async (_, text, why) => {
  expect(await ended(1, { 'fault.json': text })).toMatchObject({
    fault: { code: 'agent-crashed', message: expect.stringMatching(/exit code 1: it broke; the fault file/) },
  });
  expect(await ended(0, { 'fault.json': text })).toMatchObject({
    fault: { code: 'report-missing', message: expect.stringMatching(why) },
  });
});
