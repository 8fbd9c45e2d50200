import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const HOOK = pathToFileURL(path.join(process.cwd(), 'tests', 'fixtures', 'host', 'kill-at-step.mjs')).href;

type Order =
  | { readonly who: 'cli'; readonly step: number }
  | { readonly who: 'worker'; readonly file: string; readonly when: 'before' | 'after'; readonly nth: number };

/** Orders by which a process of the engine ends itself with SIGKILL at one of its steps, once: see kill-at-step.mjs. */
export function killOrders(folder: string) {
  const file = path.join(folder, 'kill.json');
  const env = { NODE_OPTIONS: `--import=${HOOK}`, RALPH_TEST_KILL: file };
  return {
    /** For the command line. */
    env,
    /** The same for the worker: what its RALPH_HOME sets for it. */
    armWorker(home: string): void {
      const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`);
      writeFileSync(path.join(home, 'env'), lines.join(''), { mode: 0o600 });
    },
    order: (given: Order) => writeFileSync(file, JSON.stringify({ ...given, id: randomUUID() })),
    /** Whether nobody has carried the order out; it is taken back then. */
    takeBack(): boolean {
      const isLeft = existsSync(file);
      rmSync(file, { force: true });
      return isLeft;
    },
    isDone: () => !existsSync(file),
    /** How many steps the last command line took that came to its end. */
    steps: () => Number(readFileSync(`${file}.steps`, 'utf8')),
  };
}
