import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { type RalphConfig } from '../../schemas/run/config.ts';
import { homePaths } from '../../host/home-paths.ts';
import { liveHolder } from '../../host/locks/service.ts';
import { serverState } from '../../host/server/embedded-server.ts';
import { workerState } from '../../host/worker-process/worker-process.ts';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { here } from '../cli/support/here.ts';
import { ralph, start, type Ended } from '../cli/support/ralph.ts';
import { gitRepository } from './git-repository.ts';
import { ShownRun } from './shown-run.ts';
import { scriptedAgent, type Step } from './scripted-agent.ts';
import { hasEnded, survivors } from './survivors.ts';
import { waitFor } from './wait-for.ts';

const root = path.join(process.cwd(), '.cache', 'tests');
let count = 0;

/**
 * A RALPH_HOME with a server and workers of its own, used as a user does: by the built command, as processes. When the
 * file's tests are over everything is ended, and nothing may be left. `env`: of every command, and so of its worker.
 */
export function place(name: string, config: Partial<RalphConfig> = {}, env: Record<string, string> = {}) {
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(path.join(root, `${name}-`));
  const home = path.join(folder, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const configure = (settings: Partial<RalphConfig> = config): void => {
    writeFileSync(path.join(home, 'config.json'), JSON.stringify({ heartbeatTimeoutMs: 3_000, ...settings }));
  };
  configure();

  const atEnd: (() => void)[] = [];
  afterAll(async () => {
    const down = await ralph(['down', '--force'], { home });
    const left = survivors(folder);
    for (const line of left) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    for (const task of atEnd) task();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    expect({ code: down.code, stderr: down.stderr, left }).toEqual({ code: 0, stderr: '', left: [] });
  });

  /** Ask its server about a run, as a program of somebody else would. */
  const withHandle = async (runId: string, ask: (handle: WorkflowHandle) => Promise<unknown>): Promise<void> => {
    const server = await serverState(home);
    if (server.kind !== 'ready') throw new Error(`the server is ${server.kind}`);
    const connection = await Connection.connect({ address: server.address });
    try {
      await ask(new Client({ connection }).workflow.getHandle(runId));
    } finally {
      await connection.close();
    }
  };
  const command = (...args: string[]) => ralph(args, { home, env });
  return {
    folder,
    home,
    /** Write its config.json anew; runs that start from then on go by it. */
    configure,
    /** Done when everything was ended, before the folder is removed. */
    atEnd: (task: () => void) => void atEnd.push(task),
    ralph: command,
    start: (...args: string[]) => start(args, { home, env }),
    /** Processes of this home whose command has `text`, by the process table alone. */
    processes: (text: string) => survivors(home).filter((line) => line.includes(text)),
    /** What would start its worker again, with -9. */
    async killWatchdog(): Promise<void> {
      const watchdog = await liveHolder(homePaths(home).watchdog);
      if (watchdog !== null) await kill(watchdog.pid);
    },
    /** Its worker, and first its watchdog, with -9. */
    async killWorker(): Promise<void> {
      await this.killWatchdog();
      await kill(await this.worker());
    },
    servers: () => survivors(home).filter((line) => line.includes('start-dev')),
    workers: () => survivors(home).filter((line) => /^\d+ \S+( --\S+)* \S+worker\/main\.js$/.test(line)),
    async worker(): Promise<number> {
      const state = await workerState(home);
      if (state.kind !== 'ready') throw new Error(`the worker is ${state.kind}`);
      return state.pid;
    },
    async server(): Promise<number> {
      const state = await serverState(home);
      if (state.kind !== 'ready') throw new Error(`the server is ${state.kind}`);
      return state.pid;
    },
    /** A repository and an agent of their own, and the arguments that start a run of them. */
    story(plan: readonly Step[], wrap = (agentCommand: string) => agentCommand) {
      const number = (count += 1);
      const id = `${name}-${number}`;
      const repository = gitRepository(path.join(folder, `repository-${number}`), { 'a.txt': 'a\n' });
      const agentFolder = path.join(folder, `agent-${number}`);
      const agent = scriptedAgent(agentFolder, plan);
      const paths = runPaths(home, id);
      const where = ['--id', id, '--repo', repository.path, '--sandbox', 'full-access', '--grace', '500ms'];
      const args = ['run', 'Reach it.', ...where, '--command', wrap(agent.command)];
      return {
        id,
        repository,
        agent,
        paths,
        args,
        attempt: (round: number, attempt: number) => attemptPaths(paths, round, attempt),
        async detach(...more: string[]): Promise<void> {
          expect(await command(...args, ...more, '--detach')).toMatchObject({ code: 0 });
        },
        /** Wait until the agent has been started for the n-th time and has done the work of that step. */
        started: (n: number) => waitFor(`the work of start ${n} of ${id}`, 40_000, () => agent.worked(n)),
        async show(): Promise<ShownRun> {
          const { code, stdout, stderr } = await here(['show', id, '--json'], { home });
          if (code !== 0) throw new Error(`show exits ${String(code)}: ${stderr}`);
          return ShownRun.parse(JSON.parse(stdout));
        },
        /** Its step under way, as Temporal has it; null: none. */
        async pending(): Promise<{ state: string; attempt: number } | null> {
          const server = await serverState(home);
          if (server.kind !== 'ready') throw new Error(`the server is ${server.kind}`);
          const connection = await Connection.connect({ address: server.address });
          try {
            const [step] =
              (await new Client({ connection }).workflow.getHandle(id).describe()).raw.pendingActivities ?? [];
            if (step === undefined) return null;
            return { state: String(step.state), attempt: Number(step.attempt) };
          } finally {
            await connection.close();
          }
        },
        /** End it from outside, as on Temporal's page. */
        terminate: () => withHandle(id, (handle) => handle.terminate()),
        /** Cancel it from outside: nothing is started and nothing waited for. */
        cancelOutside: () => withHandle(id, (handle) => handle.cancel()),
        ledger: async () =>
          (await readAttempts(paths)).map(({ round, attempt, outcome }) => `${round}.${attempt} ${outcome}`),
        transcript: (round: number, attempt: number) =>
          readFileSync(attemptPaths(paths, round, attempt).transcript, 'utf8'),
        /** Processes of its agents. */
        alive: () => survivors(agentFolder),
      };
    },
  };
}

/** Kill with -9, and see it gone. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await waitFor(`the end of process ${pid}`, 10_000, () => hasEnded(pid));
}

export const said = ({ stdout, stderr }: Ended): string => stdout + stderr;
