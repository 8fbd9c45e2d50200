import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { attemptOf } from './disposal-cases.ts';
import { standInWorkers } from './stand-in-workers.ts';

const { built, folder, start } = standInWorkers();

/** All that the command and the latch in front of it have open; then a write through each. */
const SCRIPT = `
for process in $$ $PPID; do for file in /proc/$process/fd/*; do echo "$file $(readlink $file)"; done; done
for number in $(seq 5 1023); do (echo changed >&$number) 2>/dev/null; done
`;

// Every third from 16 on, as Node itself closes what comes without a gap.
const NUMBERS = Array.from({ length: 1021 }, (_, index) => index + 3).filter(
  (number) => number >= 16 && number % 3 === 1,
);

test.each([
  { mechanism: 'bubblewrap', level: 'workspace-write' },
  { mechanism: 'bubblewrap', level: 'full-access' },
  { mechanism: 'subreaper', level: 'full-access' },
  { mechanism: 'process-group', level: 'full-access' },
] as const)(
  'nothing that was open where the worker was started is open to a round: $mechanism at $level',
  async ({ mechanism, level }) => {
    const setting = { ...built, mechanism, level };
    const file = path.join(folder, 'opened');
    writeFileSync(file, 'as it was');
    const open = [openSync(folder, 'r'), openSync(file, 'a')];
    const inherited = Array.from({ length: 1021 }, (_, index) =>
      NUMBERS.includes(index + 3) ? (open[index % 2] ?? 'ignore') : 'ignore',
    );
    const worker = await start({ inherited });
    for (const fd of open) closeSync(fd);
    const { command } = attemptOf(setting, { script: SCRIPT });
    const { stdout } = await worker.ask({ run: { mechanism, command } });
    const lines = String(stdout).split('\n');
    expect(lines.length).toBeGreaterThan(6);
    expect(lines.filter((line) => line.endsWith(folder) || line.endsWith(file))).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('as it was');
  },
);
