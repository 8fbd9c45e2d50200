import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

const ENTRY = path.join(process.cwd(), 'dist', 'cli', 'main.js');

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once the output so far matches; rejects when the command ends without it. */
  readonly until: (pattern: RegExp) => Promise<void>;
}

interface How {
  readonly home: string;
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Record<string, string>;
  /** A program, with its arguments, that starts the command given after them. */
  readonly under?: readonly string[];
}

/** The built command as a process of its own, with nothing of this environment but what it needs. */
export function start(
  args: readonly string[],
  { home, cwd = process.cwd(), input = '', env = {}, under = [] }: How,
): Started {
  const { PATH, HOME, TEMPORAL_CLI } = process.env;
  const machine = Object.entries({ PATH, HOME, TEMPORAL_CLI }).filter(([, value]) => value !== undefined);
  const [program = process.execPath, ...words] = [...under, process.execPath, ENTRY, ...args];
  const child = spawn(program, words, {
    cwd,
    env: { ...Object.fromEntries(machine), RALPH_HOME: home, ...env },
  });
  let stdout = '';
  let stderr = '';
  let onOutput: (() => void) | null = null;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput?.();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onOutput?.();
  });
  // A command that reads no stdin may be gone before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ stdout, stderr, code }));
  });
  return {
    child,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        onOutput = () => {
          if (pattern.test(stdout + stderr)) resolve();
        };
        onOutput();
        void ended.then(() => reject(new Error(`ended without ${pattern}: ${stdout}${stderr}`)));
      }),
  };
}

export function ralph(args: readonly string[], how: How): Promise<Ended> {
  return start(args, how).ended;
}

export interface Scratch {
  readonly folder: string;
  /** A RALPH_HOME of its own. */
  readonly home: string;
  /** Ends whatever runs for that RALPH_HOME, and takes the folder away. */
  remove(): Promise<void>;
}

/** A folder inside the checkout: a RALPH_HOME cannot be under the temp folder. */
export async function scratch(): Promise<Scratch> {
  const parent = path.join(process.cwd(), '.cache', 'tests');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, 'cli-'));
  const home = path.join(folder, 'home');
  await mkdir(home, { mode: 0o700 });
  return {
    folder,
    home,
    remove: async () => {
      const down = await ralph(['down', '--force'], { home });
      if (down.code !== 0) throw new Error(`something may run still: ${down.stderr}`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
