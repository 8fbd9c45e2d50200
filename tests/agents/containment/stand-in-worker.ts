import { spawn, execFileSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ContainedCommand } from '../../../agents/containment/containment.ts';
import type { Mechanism, Receipt } from '../../../schemas/receipt.ts';
import type { SandboxLevel } from '../../../schemas/sandbox.ts';
import { readProc, readProcesses } from '../../../agents/containment/process-table.ts';

const FIXTURES = path.resolve('tests/fixtures/containment');

/** A user without privileges: `nobody` on Linux systems. */
export const ORDINARY_UID = 65_534;

/** Compile the containment once, to where an ordinary user can run it, with the fixtures beside. Dispose of the folder. */
export function buildContainment(parent: string): string {
  mkdirSync(parent, { recursive: true });
  const build = mkdtempSync(path.join(parent, 'ralph-containment-'));
  chmodSync(build, 0o755);
  execFileSync('npx', ['tsc', '-p', FIXTURES, '--outDir', build], { stdio: 'inherit' });
  copyFileSync('agents/containment/keeper.pl', path.join(build, 'agents/containment/keeper.pl'));
  cpSync('node_modules/zod', path.join(build, 'node_modules/zod'), { recursive: true });
  cpSync(FIXTURES, path.join(build, 'fixtures'), { recursive: true });
  writeFileSync(path.join(build, 'package.json'), '{ "type": "module" }');
  return build;
}

type Answer = { receipt?: Receipt; error?: { code: string | null; message: string }; [key: string]: unknown };

export interface StandInWorker {
  readonly pid: number;
  ask(request: Record<string, unknown>): Promise<Answer>;
  /** Processes that descend from this worker, by a limit that they inherit and that no mechanism knows of. */
  survivors(): string[];
  signal(signal: NodeJS.Signals): void;
  /** Settles when the process is gone. */
  readonly gone: Promise<unknown>;
}

export async function startStandInWorker(how: { build: string; uid: number | null }): Promise<StandInWorker> {
  // Below the default limit, so that it can be set without privilege; children can only lower it further.
  const tag = randomInt(100_000, 800_000);
  const asUser = how.uid === null ? [] : ['setpriv', `--reuid=${how.uid}`, `--regid=${how.uid}`, '--clear-groups'];
  const worker = [process.execPath, path.join(how.build, 'fixtures/worker.mjs'), how.build];
  const child = spawn('prlimit', [`--msgqueue=${tag}:${tag}`, ...asUser, ...worker], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: how.uid === null ? process.env.HOME : '/nonexistent' },
    cwd: how.build,
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Answer> => {
    const line = await answers.next();
    if (line.done === true) throw new Error('the worker is gone');
    return JSON.parse(line.value);
  };
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await next();
  const tagged = new RegExp(`^Max msgqueue size +${tag} `, 'm');
  return {
    pid: child.pid ?? 0,
    gone,
    ask: async (request) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return await next();
    },
    survivors: () =>
      readProcesses()
        .filter(({ pid, state }) => pid !== child.pid && state !== 'Z' && tagged.test(readProc(`${pid}/limits`) ?? ''))
        .map(({ pid, name, state }) => `${pid} ${name} ${state}`),
    signal: (signal) => void child.kill(signal),
  };
}

export interface Attempt {
  readonly command: ContainedCommand;
  readonly armed: () => boolean;
}

/** An attempt's folders as the engine lays them out, and a stand-in agent to run in them. */
export function makeAttempt(how: {
  build: string;
  level: SandboxLevel;
  uid: number | null;
  /** One of agent.sh, or a shell script. */
  run: { standIn: string; endsByItself: boolean } | { script: string };
}): Attempt {
  const ralphHome = path.join(how.build, 'home');
  const root = path.join(ralphHome, 'runs', randomUUID());
  const folders = { tree: 'tree', objects: 'objects', home: 'home', cache: 'cache', inbox: 'inbox' };
  const at = (name: string): string => path.join(root, name);
  for (const name of Object.values(folders)) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('prompt.md'), 'the prompt\n');
  if (how.uid !== null) {
    for (const place of [ralphHome, path.dirname(root), root, ...Object.values(folders).map(at), at('prompt.md')]) {
      chownSync(place, how.uid, how.uid);
    }
  }
  const armedFile = at('inbox/armed');
  const standIn = path.join(how.build, 'fixtures/agent/agent.sh');
  return {
    armed: () => existsSync(armedFile),
    command: {
      argv: 'script' in how.run ? ['bash', '-c', how.run.script] : standInWords(how.run, standIn, armedFile),
      env: { PATH: process.env.PATH ?? '', HOME: at('home'), ARMED: armedFile },
      stdinFile: at('prompt.md'),
      sandbox: { level: how.level, network: true, readable: [] },
      mounts: {
        tree: at('tree'),
        objects: at('objects'),
        home: at('home'),
        cache: at('cache'),
        inbox: at('inbox'),
        ralphHome,
        // The tests' own folder may lie in a home folder or below /var/tmp.
        readable: [path.join(how.build, 'fixtures')],
      },
      fenceFile: at('fence.json'),
    },
  };
}

function standInWords(run: { standIn: string; endsByItself: boolean }, standIn: string, armed: string): string[] {
  const leaving = '"$@" & while [ ! -e "$ARMED" ]; do sleep 0.02; done; exit 0';
  const words = ['bash', standIn, run.standIn, armed];
  return run.endsByItself ? ['bash', '-c', leaving, 'bash', ...words] : words;
}

export const STAND_INS = [
  'plain',
  'bg',
  'nohup',
  'setsid',
  'daemon',
  'sigterm',
  'pipe',
  'agentkilled',
  'respawn',
  'hotspawn',
  'envscrub',
  'undump',
  'title',
  'stopped',
  'combo',
] as const;

/** What a receipt must say for a mechanism that claims proof. */
export const PROOFS: Readonly<Partial<Record<Mechanism, string>>> = {
  bubblewrap: 'namespace-gone',
  keeper: 'echild',
  'keeper-bubblewrap': 'echild',
};

export function removeBuild(build: string): void {
  rmSync(build, { recursive: true, force: true });
}
