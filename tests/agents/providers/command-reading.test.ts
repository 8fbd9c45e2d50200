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
