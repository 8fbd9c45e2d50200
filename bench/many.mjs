// Many live runs on one worker: what a round costs beyond its agent while all of them go on, and the worker's memory.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { agent } from './agent.mjs';
import { median, quantile } from './figures.mjs';
import { inPlace } from './place.mjs';

const AGENT_MS = 5_000;
const AT_A_TIME = 2;
/** After the last start. */
const WINDOW_MS = 60_000;
/** More than any run can do until then: all of them stay live. */
const ROUNDS = 250;

/** Rounds count that began after the last start. */
export const measureMany = ({ runs, temporalCli }) =>
  inPlace(
    'many',
    temporalCli,
    async ({ home, repository, ralph, start }) => {
      ralph('up');
      const worker = JSON.parse(readFileSync(path.join(home, 'worker.json'), 'utf8')).pid;
      const flags = ['--repo', repository, '--max-rounds', String(ROUNDS), '--agent', 'command'];
      const command = ['--command', agent(`sleep ${AGENT_MS / 1000}`), '--detach'];
      const ids = Array.from({ length: runs }, (_, n) => `many-${n}`);
      await Promise.all(
        Array.from({ length: AT_A_TIME }, async (_, lane) => {
          for (const id of ids.filter((__, n) => n % AT_A_TIME === lane)) {
            const child = start('run', 'Count.', '--id', id, ...flags, ...command);
            const code = await new Promise((done) => child.once('exit', done));
            if (code !== 0) throw new Error(`the start of ${id} ended with exit code ${code}`);
          }
        }),
      );
      const lastStart = Date.now();
      let mostKb = 0;
      while (Date.now() < lastStart + WINDOW_MS) {
        mostKb = Math.max(mostKb, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1]));
        await delay(250);
      }
      const overheads = ids
        .flatMap((id) => overheadsOf(path.join(home, 'runs', id, 'rounds')))
        .filter(({ from }) => from >= lastStart)
        .map(({ from, to }) => to - from - AGENT_MS);
      if (overheads.length < runs) throw new Error(`only ${overheads.length} rounds were done by all ${runs} runs`);
      return {
        runs,
        counted: overheads.length,
        overheadMs: median(overheads),
        overheadP95Ms: quantile(overheads, 0.95),
        workerMb: mostKb / 1024,
      };
    },
    { config: { roundSlots: runs } },
  );

/** From the end of each round to the end of the next. */
function overheadsOf(folder) {
  const ends = readdirSync(folder)
    .map((round) => path.join(folder, round, 'attempt-1', 'outcome.json'))
    .filter((file) => existsSync(file))
    .map((file) => Date.parse(JSON.parse(readFileSync(file, 'utf8')).endedAt))
    .toSorted((a, b) => a - b);
  return ends.slice(1).map((to, index) => ({ from: ends[index], to }));
}
