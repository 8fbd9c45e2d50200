// How long `ralph list` and `ralph show` take with many runs, on disk and in Temporal.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../scripts/sources.mjs';
import { agent } from './agent.mjs';
import { median } from './figures.mjs';
import { inPlace } from './place.mjs';

const REPEATS = 5;
const dist = (file) => import(pathToFileURL(path.join(ROOT, 'dist', file)).href);

export const measureHistory = ({ runs, rounds, temporalCli }) =>
  inPlace('history', temporalCli, async (place) => {
    const { repository, ralph, home } = place;
    const flags = ['--agent', 'command', '--command', agent(), '--max-rounds', String(rounds)];
    ralph('run', 'Count.', '--id', 'run-1', '--repo', repository, ...flags);
    copyRuns(path.join(home, 'runs'), runs);
    await registerRuns(place, runs);
    const listed = JSON.parse(ralph('list', '--all', '--json')).length;
    if (listed !== runs) throw new Error(`${listed} runs are listed instead of ${runs}`);
    const up = {
      listMs: timed(ralph, 'list', '--all'),
      showMs: timed(ralph, 'show', `run-${runs}`),
      showRoundMs: timed(ralph, 'show', 'run-1', '--round', '1'),
      whyMs: timed(ralph, 'why', `run-${runs}`),
    };
    ralph('down', '--force');
    return {
      runs,
      rounds,
      ...up,
      listDownMs: timed(ralph, 'list', '--all'),
      showDownMs: timed(ralph, 'show', `run-${runs}`),
    };
  });

/** Many runs of few rounds, with nothing running: `ralph list` shows the latest, `why` one, `stats` sums all. */
export const measureLongList = ({ runs, temporalCli }) =>
  inPlace('long-list', temporalCli, async ({ repository, ralph, home, cpuSeconds }) => {
    const flags = ['--agent', 'command', '--command', agent(), '--max-rounds', '6'];
    ralph('run', 'Count.', '--id', 'run-1', '--repo', repository, ...flags);
    ralph('down', '--force');
    copyRuns(path.join(home, 'runs'), runs);
    return {
      runs,
      listMs: timed(ralph, 'list'),
      whyMs: timed(ralph, 'why', 'run-1'),
      statsCpuMs: cpuSeconds('stats') * 1000,
    };
  });

/** Milliseconds of a command, median. */
function timed(ralph, ...args) {
  const times = Array.from({ length: REPEATS }, () => {
    const from = performance.now();
    ralph(...args);
    return performance.now() - from;
  });
  return median(times);
}

/** Further runs, as they would stand on the disk: the first one's files under other ids. */
function copyRuns(folder, runs) {
  const first = path.join(folder, 'run-1');
  const files = readdirSync(first).filter((name) => /\.jsonl?$/.test(name) || name === 'rounds');
  for (let run = 2; run <= runs; run++) {
    const to = path.join(folder, `run-${run}`);
    for (const name of files) cpSync(path.join(first, name), path.join(to, name), { recursive: true });
    const request = readFileSync(path.join(first, 'request.json'), 'utf8');
    writeFileSync(path.join(to, 'request.json'), request.replace('"runId": "run-1"', `"runId": "run-${run}"`));
  }
}

/** The same runs in Temporal, each with its memo, and ended at once: they have nothing to do. */
async function registerRuns({ env }, runs) {
  const { openDeployment } = await dist('client/connect/deployment.js');
  const { serverState } = await dist('host/server/embedded-server.js');
  const { connect } = await dist('client/connect/connect.js');
  const deployment = await openDeployment(env);
  const { address } = await serverState(deployment.ralphHome);
  const link = await connect(deployment, { connection: { address }, pages: null });
  try {
    const { memo } = await link.client.workflow.getHandle('run-1').describe();
    for (let run = 2; run <= runs; run++) {
      const options = { workflowId: `run-${run}`, taskQueue: link.workflowsQueue, memo };
      const handle = await link.client.workflow.start('ralphLoop', options);
      // Unless the worker came first, and refused what has no arguments.
      await handle.terminate().catch(() => undefined);
    }
    // Temporal lists what it has counted.
    while ((await link.client.workflow.count()).count < runs) await new Promise((done) => setTimeout(done, 100));
  } finally {
    await link.close();
  }
}
