import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { ensureServer } from '../../host/server/embedded-server.ts';
import { payloadCodec } from '../../host/keys/payload-codec.ts';
import { payloadKey } from '../../host/keys/payload-key.ts';
import { ensureTemporalCli } from '../../host/server/temporal-cli.ts';
import { asking, hint, seen, waiting } from '../fixtures/host/asking-workflow.ts';
import { cleanUp } from '../fixtures/host/clean-up.ts';
import { eventually } from '../fixtures/host/eventually.ts';
import { temporaryHome } from '../fixtures/host/temporary-home.ts';

const taskQueue = 'codec';
const question = { objective: 'ü & | > "\n' };
const refused = { rejectedPayload: expect.stringMatching(/carries no signature/) };
const run = promisify(execFile);

let client: Client;
/** The stock command line, as anybody who reaches the port has it. */
let temporal: (...args: string[]) => Promise<string>;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
  const how = { ralphHome: await temporaryHome(), env: process.env, onNote: () => {} };
  const { address } = await ensureServer(how);
  const program = await ensureTemporalCli(how);
  temporal = async (...args) => (await run(program, [...args, '--address', address])).stdout;
  const dataConverter = { payloadCodecs: [payloadCodec(await payloadKey(how.ralphHome))] };
  client = new Client({ connection: await Connection.connect({ address }), dataConverter });
  cleanUp(() => client.connection.close());
  const workerConnection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection: workerConnection,
    taskQueue,
    dataConverter,
    workflowsPath: fileURLToPath(new URL('../fixtures/host/asking-workflow.ts', import.meta.url)),
    activities: {
      answer: (asked: unknown) => Promise.resolve({ echo: asked }),
      wait: () => Context.current().cancelled,
    },
  });
  const running = worker.run();
  cleanUp(async () => {
    worker.shutdown();
    await running;
    await workerConnection.close();
  });
});

test('arguments, results, memo, signals and queries of our own pass', async () => {
  const handle = await client.workflow.signalWithStart(asking, {
    workflowId: 'genuine',
    taskQueue,
    args: [question, false],
    signal: hint,
    signalArgs: [{ a: 'hint' }],
    memo: { ralph: { from: 'start' } },
  });
  expect(await handle.result()).toEqual({ question, answer: { echo: question }, hints: [{ a: 'hint' }] });
  expect(await handle.query(seen)).toEqual([{ a: 'hint' }]);
  expect((await handle.describe()).memo).toEqual({ ralph: { question } });
});

test('what a run hands to its continuation passes', async () => {
  const result = await client.workflow.execute(asking, { workflowId: 'long', taskQueue, args: [question, true] });
  expect(result).toEqual({ question, answer: { echo: question }, hints: [] });
});

test('a run that a stranger started gets a refusal for an argument', async () => {
  await temporal('workflow', 'start', '-t', taskQueue, '--type', 'waiting', '-w', 'forged', '-i', '"evil"');
  await completeFrom('forged');
  expect(await client.workflow.getHandle('forged').result()).toMatchObject({ question: refused });
});

test("a stranger's signal reaches its handler as a refusal", async () => {
  const handle = await client.workflow.start(waiting, { workflowId: 'signalled', taskQueue, args: [question] });
  await temporal('workflow', 'signal', '-w', 'signalled', '--name', 'hint', '-i', '"evil"');
  expect(await handle.query(seen)).toEqual([refused]);
  await handle.terminate();
});

test("a result that a stranger reports for an agent's round reaches the workflow as a refusal", async () => {
  const handle = await client.workflow.start(waiting, { workflowId: 'waits', taskQueue, args: [question] });
  await completeFrom('waits');
  expect(await handle.result()).toEqual({ question, answer: refused });
});

test("a stranger's run with a memo does not hide ours from a list", async () => {
  await temporal('workflow', 'start', '-t', 'nobody', '--type', 'x', '-w', 'stranger', '--memo', 'ralph="evil"');
  const memoOf = async (id: string): Promise<unknown> => {
    for await (const { workflowId, memo } of client.workflow.list()) if (workflowId === id) return memo;
    return null;
  };
  await eventually(async () => (await memoOf('stranger')) !== null);
  expect(await memoOf('stranger')).toEqual({ ralph: refused });
  expect(await memoOf('genuine')).toEqual({ ralph: { question } });
  await client.workflow.getHandle('stranger').terminate();
});

/** Complete the activity of a run from outside, as soon as it is under way. */
async function completeFrom(workflowId: string): Promise<void> {
  await eventually(async () => {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    return raw.pendingActivities?.[0]?.lastStartedTime != null;
  });
  await temporal('activity', 'complete', '-w', workflowId, '--activity-id', '1', '--result', '{"status":"complete"}');
}
