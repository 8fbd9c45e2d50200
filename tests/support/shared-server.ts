import path from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { ensureTemporalCli } from '../../host/server/temporal-cli.ts';

/** Where test files find the server: its address. */
const ADDRESS = 'RALPH_TEST_TEMPORAL';

/** The namespace of a jest worker: its files run one after the other, each on queues of its own. */
const namespaceOf = (worker: number): string => `jest-${worker}`;

let server: TestWorkflowEnvironment | null = null;

/** Jest's global set-up: one Temporal server for all test files that do not kill it. */
export default async function startSharedServer({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  const executable = await ensureTemporalCli({
    ralphHome: path.join(process.cwd(), '.cache'),
    env: process.env,
    onNote: () => {},
  });
  const namespaces = Array.from({ length: maxWorkers }, (_, index) => ['--namespace', namespaceOf(index + 1)]).flat();
  server = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path: executable }, extraArgs: namespaces },
  });
  process.env[ADDRESS] = server.address;
}

/** For jest's global tear-down, which runs in the same process. */
export async function stopSharedServer(): Promise<void> {
  await server?.teardown();
}

/** In a test file: where the server is. Throws outside of the jest project that starts one. */
export function sharedServer(): { address: string; namespace: string } {
  const { [ADDRESS]: address, JEST_WORKER_ID: worker } = process.env;
  if (address === undefined || worker === undefined)
    throw new Error('this file is not in the jest project with a server');
  return { address, namespace: namespaceOf(Number(worker)) };
}
