import { plainRequest } from './plain-request.ts';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, type Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { payloadCodec } from '../../host/keys/payload-codec.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import type { LoopInput, LoopSettings } from '../../schemas/loop/loop-input.ts';
import { beginning, type LoopState } from '../../schemas/loop/state.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { Limits, type RunRequest } from '../../schemas/run/run.ts';
import { workflowsQueue } from '../../schemas/loop/task-queues.ts';
import { createWorkers } from '../../worker/create-workers.ts';
import type { ralphLoop } from '../../workflows/index.ts';
import type { GitRepository } from './git-repository.ts';
import { tempFolder } from './temp-folder.ts';
import { bundleOf } from './bundle-of.ts';
import { sharedServer } from './shared-server.ts';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
});

/**
 * The engine's workers, in this process, on the real Temporal server that test files share. The queues are this file's
 * own; what it leaves open is terminated when it ends.
 */
export function engine(name: string) {
  const hostId = randomUUID().replaceAll('-', '').slice(0, 16);
  const queue = workflowsQueue(hostId);
  const { address, namespace } = sharedServer();
  const folder = tempFolder(name);
  const ralphHome = path.join(folder, 'home');
  const dataConverter = { payloadCodecs: [payloadCodec(Buffer.alloc(32, 7))] };
  let server: TestWorkflowEnvironment;
  let workflowBundle: { code: string };
  let workers: { all: Worker[]; ended: Promise<unknown> } | null = null;

  const startWorkers = async (): Promise<void> => {
    const all = await createWorkers({
      connection: server.nativeConnection,
      namespace,
      workflowsQueue: queue,
      workflowBundle,
      hostId,
      roundSlots: 4,
      stepSlots: 4,
      cachedWorkflows: 20,
      activities: createActivities({ ralphHome, workerEnv: process.env, redactor: new Redactor() }),
      dataConverter,
    });
    workers = { all, ended: Promise.all(all.map((worker) => worker.run())) };
  };
  const stopWorkers = async (): Promise<void> => {
    if (workers === null) return;
    for (const worker of workers.all) worker.shutdown();
    await workers.ended;
    workers = null;
  };

  beforeAll(async () => {
    mkdirSync(ralphHome, { recursive: true, mode: 0o700 });
    server = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace, client: { dataConverter } });
    const code = await bundleOf(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)));
    workflowBundle = { code };
    await startWorkers();
  });
  afterAll(async () => {
    await stopWorkers();
    const open = server.client.workflow.list({ query: "ExecutionStatus = 'Running'" });
    for await (const { workflowId } of open) await server.client.workflow.getHandle(workflowId).terminate();
    await server.teardown();
  });

  return {
    folder,
    namespace,
    /** The fingerprint in the names of its queues. */
    keyId: hostId,
    startWorkers,
    stopWorkers,
    server: () => server,
    paths: (runId: string) => runPaths(ralphHome, runId),
    async start(run: {
      runId: string;
      objective: string;
      repository: GitRepository;
      agent: AgentSpec;
      limits?: Partial<Limits>;
      setup?: string;
      /** What a sandbox would hide, as it lies in a home: the checkout may. */
      readable?: string[];
      /** Gates, reviewer, budgets and the like. */
      checks?: Partial<typeof plainRequest>;
      settings?: Partial<LoopSettings>;
      /** Where the run begins, if it continues another. */
      state?: Partial<LoopState>;
    }): Promise<WorkflowHandle<typeof ralphLoop>> {
      const request: RunRequest = {
        runId: run.runId,
        objective: run.objective,
        objectiveHash: createHash('sha256').update(run.objective).digest('hex'),
        repository: { path: run.repository.path, ref: 'HEAD', commit: run.repository.commit },
        agent: run.agent,
        sandbox: { level: 'full-access', network: true, readable: run.readable ?? [] },
        setup: run.setup === undefined ? null : run.setup,
        repositoryHooks: false,
        ...plainRequest,
        ...run.checks,
        limits: Limits.parse({ maxRounds: 10, graceMs: 500, stallRounds: 0, ...run.limits }),
        identity: { name: 'User', email: 'user@example.invalid' },
        hostId,
        requestedAt: new Date().toISOString(),
      };
      const settings = { heartbeatTimeoutMs: 5_000, continueAfterRounds: null, ...run.settings };
      const state = { ...beginning(request), ...run.state };
      const input: LoopInput = { request, settings, state, carried: null };
      return await server.client.workflow.start<typeof ralphLoop>('ralphLoop', {
        args: [input],
        taskQueue: queue,
        workflowId: run.runId,
      });
    },
  };
}
