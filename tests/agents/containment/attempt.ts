import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ContainedCommand } from '../../../agents/containment/containment.ts';
import type { SandboxLevel } from '../../../schemas/run/sandbox.ts';

/** A folder for a test file's RALPH_HOMEs. Not in the temp folder, which sandboxes replace. */
export function makeScratch(): { readonly folder: string; remove(): void } {
  const parent = path.resolve('.cache/tests');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'containment-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Attempt {
  readonly command: ContainedCommand;
  readonly armed: () => boolean;
}

export const FIXTURES = path.resolve('tests/fixtures/containment');

/** What an attempt runs: a stand-in of agent.sh, or a script in bash. */
export type Run = { readonly standIn: string; readonly endsByItself: boolean } | { readonly script: string };

/** An attempt's folders as the engine lays them out, below `place`, and something to run in them. */
export function makeAttempt(how: {
  place: string;
  /** Where the fixtures are, for whoever may not read the repository. */
  fixtures: string;
  level: SandboxLevel;
  uid: number | null;
  run: Run;
}): Attempt {
  const ralphHome = path.join(how.place, 'home');
  const root = path.join(ralphHome, 'runs', randomUUID());
  const at = (name: string): string => path.join(root, name);
  const folders = ['tree', 'objects', 'home', 'cache', 'inbox'].map(at);
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  writeFileSync(at('prompt.md'), 'the prompt\n');
  if (how.uid !== null) {
    for (const place of [ralphHome, path.dirname(root), root, ...folders, at('prompt.md')]) {
      chownSync(place, how.uid, how.uid);
    }
  }
  const armedFile = at('inbox/armed');
  return {
    armed: () => existsSync(armedFile),
    command: {
      argv: words(how.run, path.join(how.fixtures, 'agent/agent.sh'), armedFile),
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
        readable: [how.fixtures],
      },
      fenceFile: at('fence.json'),
    },
  };
}

function words(run: Run, agent: string, armed: string): string[] {
  if ('script' in run) return ['bash', '-c', run.script];
  const standIn = ['bash', agent, run.standIn, armed];
  const leaving = '"$@" & while [ ! -e "$ARMED" ]; do sleep 0.02; done; exit 0';
  return run.endsByItself ? ['bash', '-c', leaving, 'bash', ...standIn] : standIn;
}
