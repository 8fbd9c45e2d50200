// What a user waits for: from `ralph run` to the agent's start, and from `ralph cancel` to the receipt.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { agent } from './agent.mjs';
import { median } from './figures.mjs';
import { inPlace } from './place.mjs';

const PATIENCE_MS = 60_000;

export const measureStart = ({ repeats, temporalCli }) =>
  inPlace('start', temporalCli, async ({ home, repository, ralph, start }) => {
    const flags = ['--repo', repository, '--max-rounds', '1', '--agent', 'command', '--command', agent()];
    const timed = async (id) => {
      const from = performance.now();
      const child = start('run', 'Count.', '--id', id, ...flags);
      // The agent's first act.
      await until(() => existsSync(path.join(home, 'runs', id, 'tree', 'source', 'round.js')));
      const ms = performance.now() - from;
      if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
      return ms;
    };
    const cold = [];
    const warm = [];
    for (let repeat = 0; repeat < repeats; repeat++) {
      ralph('down', '--force');
      // A database of its own each time, as on the first day.
      for (const name of ['temporal.db', 'temporal.db-wal', 'temporal.db-shm'])
        rmSync(path.join(home, name), { force: true });
      cold.push(await timed(`cold-${repeat}`));
      warm.push(await timed(`warm-${repeat}`));
    }
    return { coldMs: median(cold), warmMs: median(warm) };
  });

/** What many launches cost: `ralph run --detach` with services up, in seconds of processor time. */
export const measureDetach = ({ repeats, temporalCli }) =>
  inPlace('detach', temporalCli, async ({ repository, ralph, cpuSeconds }) => {
    const flags = ['--repo', repository, '--max-rounds', '1', '--agent', 'command', '--command', agent(), '--detach'];
    ralph('up');
    const cpu = Array.from({ length: repeats }, (_, n) => cpuSeconds('run', 'Count.', '--id', `detach-${n}`, ...flags));
    return { cpuMs: 1000 * median(cpu) };
  });

export const measureCancel = ({ repeats, temporalCli }) =>
  inPlace('cancel', temporalCli, async ({ home, repository, ralph }) => {
    const flags = ['--repo', repository, '--agent', 'command', '--command', agent('touch begun; exec sleep 1000')];
    const whole = [];
    const toReceipt = [];
    for (let repeat = 0; repeat < repeats; repeat++) {
      const id = `cancel-${repeat}`;
      ralph('run', 'Wait.', '--detach', '--id', id, ...flags);
      await until(() => existsSync(path.join(home, 'runs', id, 'tree', 'begun')));
      const from = Date.now();
      ralph('cancel', id);
      whole.push(Date.now() - from);
      const { receipt } = JSON.parse(readFileSync(path.join(home, 'runs', id, 'ending.json'), 'utf8'));
      toReceipt.push(Date.parse(receipt.at) - from);
    }
    return { commandMs: median(whole), receiptMs: median(toReceipt) };
  });

async function until(holds) {
  const deadline = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`nothing came within ${PATIENCE_MS} ms`);
    await delay(2);
  }
}
