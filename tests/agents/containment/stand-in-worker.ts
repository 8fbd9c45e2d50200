import { spawn, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Mechanism, Receipt } from '../../../schemas/round/receipt.ts';
import { FIXTURES } from './attempt.ts';
import { readProcIfShown } from '../../../system/processes/proc-table.ts';
import { processTable } from '../../../system/processes/process-table.ts';

/** A user without privileges: `nobody` on Linux systems. */
export const ORDINARY_UID = 65_534;

/** Compile the containment once, to where an ordinary user can run it, with the fixtures beside. Dispose of the folder. */
export function buildContainment(parent: string): string {
  mkdirSync(parent, { recursive: true });
  const build = mkdtempSync(path.join(parent, 'ralph-containment-'));
  chmodSync(build, 0o755);
  execFileSync('npx', ['tsc', '-p', FIXTURES, '--outDir', build], { stdio: 'inherit' });
  for (const script of readdirSync('agents/containment', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.pl'),
  )) {
    copyFileSync(path.join('agents/containment', script), path.join(build, 'agents/containment', script));
  }
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

export async function startStandInWorker(how: {
  build: string;
  uid: number | null;
  env?: Readonly<Record<string, string>>;
  /** Words in front of it, say of another mount namespace. */
  wrap?: readonly string[];
  /** Open where the worker is started, from descriptor 3 on: what it inherits. */
  inherited?: readonly (number | 'ignore')[];
}): Promise<StandInWorker> {
  // Below the default limit, so that it can be set without privilege; children can only lower it further.
  const tag = randomInt(100_000, 800_000);
  const asUser = how.uid === null ? [] : ['setpriv', `--reuid=${how.uid}`, `--regid=${how.uid}`, '--clear-groups'];
  const worker = [...(how.wrap ?? []), process.execPath, path.join(how.build, 'fixtures/worker.mjs'), how.build];
  const child = spawn('/usr/bin/env', ['prlimit', `--msgqueue=${tag}:${tag}`, ...asUser, ...worker], {
    stdio: ['pipe', 'pipe', 'inherit', ...(how.inherited ?? [])],
    env: { PATH: process.env.PATH, HOME: how.uid === null ? process.env.HOME : '/nonexistent', ...how.env },
    cwd: how.build,
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new TypeError('spawn gave no pipes');
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
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
      stdin.write(`${JSON.stringify(request)}\n`);
      return await next();
    },
    survivors: () =>
      processTable
        .readAll()
        .filter(
          ({ pid, state }) => pid !== child.pid && state !== 'Z' && tagged.test(readProcIfShown(`${pid}/limits`) ?? ''),
        )
        .map(({ pid, name, state }) => `${pid} ${name} ${state}`),
    signal: (signal) => void child.kill(signal),
  };
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
  subreaper: 'echild',
};

export function removeBuild(build: string): void {
  rmSync(build, { recursive: true, force: true });
}
