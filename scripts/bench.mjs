// Measure what the engine costs and hold it to its limits: `npm run bench`. With --quick fewer rounds and runs;
// --slack N multiplies the limits, for machines with other work. Exits with 1 where a limit is broken.
import { parseArgs } from 'node:util';
import { measureHistory, measureLongList } from '../bench/history.mjs';
import { measureCancel, measureDetach, measureStart } from '../bench/latency.mjs';
import { measureMany } from '../bench/many.mjs';
import { measureRounds } from '../bench/rounds.mjs';
import { measureSearch } from '../bench/search.mjs';
import { setUp } from './set-up.mjs';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    slack: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const slack = Number(flags.slack);
if (!(slack >= 1)) throw new Error(`--slack takes a number from 1 on, not "${flags.slack}".`);
const size = flags.quick
  ? { rounds: 32, runs: 50, repeats: 3, many: null, longRounds: null, files: [], longList: null, megabytes: 20 }
  : {
      rounds: 256,
      runs: 200,
      repeats: 5,
      many: 50,
      longRounds: 1000,
      files: [20_000, 200_000],
      longList: 2000,
      megabytes: 100,
    };
let broken = 0;

const { temporalCli } = await setUp({ without: [] });
const measurements = {
  async rounds() {
    const found = await measureRounds({ rounds: size.rounds, temporalCli });
    say(`\n${found.rounds} rounds, 100 files, an agent that changes one line (${found.mechanism})`);
    const ofBare = found.overheadMs / found.bareRoundMs;
    row('the engine in a round, median', ms(found.overheadMs));
    row('  against the bare loop of the same run', ratio(ofBare), ofBare, 7);
    row('  95th percentile', ms(found.overheadP95Ms));
    row('  of it between two rounds (Temporal, records)', ms(found.betweenMs));
    row('  of it disposal with its proof', ms(found.disposalMs));
    row(
      'last quarter of the rounds against the first',
      ratio(found.lastQuarterOverFirst),
      found.lastQuarterOverFirst,
      1.2,
    );
    row('prompts that differ in length', String(found.promptsDiffer), found.promptsDiffer, 0);
    row('  length, without the digits of the round', `${found.promptChars} characters`);
    row('the bare shell loop: agent and git commit, median', ms(found.bareRoundMs));
    row('  of it the agent', ms(found.bareAgentMs));
    row('Temporal on disk, for each round', `${(found.databaseKb / found.rounds).toFixed(1)} KB`);
  },
  async long() {
    if (size.longRounds === null) return;
    const found = await measureRounds({ rounds: size.longRounds, temporalCli });
    say(`\n${found.rounds} rounds`);
    row('last quarter against the first', ratio(found.lastQuarterOverFirst), found.lastQuarterOverFirst, 1.2);
  },
  async many() {
    if (size.many === null) return;
    const found = await measureMany({ runs: size.many, temporalCli });
    say(`\n${found.runs} live runs on one worker, agents of 5 s (${found.counted} rounds)`);
    row('the engine in a round, median', ms(found.overheadMs), found.overheadMs, 800);
    row('  95th percentile', ms(found.overheadP95Ms), found.overheadP95Ms, 1500);
    row("the worker's memory, most", `${found.workerMb.toFixed(0)} MB`, found.workerMb, 420);
  },
  async files() {
    for (const files of size.files) {
      const { overheadMs, bareRoundMs, bareAgentMs } = await measureRounds({ rounds: 8, files, temporalCli });
      const beyond = overheadMs + bareAgentMs - bareRoundMs;
      say(`\n${files.toLocaleString('en')} files`);
      row('a round beyond the bare loop there', ms(beyond), beyond, files > 100_000 ? 700 : 150);
      row('the bare loop there', ms(bareRoundMs));
    }
  },
  async start() {
    const { coldMs, warmMs } = await measureStart({ repeats: size.repeats, temporalCli });
    say('\nFrom `ralph run` to the first act of the agent');
    row('no server, no worker', ms(coldMs), coldMs, 2200);
    row('both up', ms(warmMs), warmMs, 750);
  },
  async detach() {
    const { cpuMs } = await measureDetach({ repeats: size.repeats, temporalCli });
    say('\nMany launches');
    row('processor time of `ralph run --detach`', ms(cpuMs), cpuMs, 600);
  },
  async cancel() {
    const { receiptMs, commandMs } = await measureCancel({ repeats: size.repeats, temporalCli });
    say('\nFrom `ralph cancel` on, for an agent that ends at SIGTERM');
    row('to the receipt', ms(receiptMs), receiptMs, 600);
    row("to the command's end", ms(commandMs), commandMs, 800);
  },
  async history() {
    const found = await measureHistory({ runs: size.runs, rounds: 20, temporalCli });
    say(`\n${found.runs} runs of ${found.rounds} rounds`);
    row('ralph list --all', ms(found.listMs), found.listMs, 400);
    row('ralph show', ms(found.showMs), found.showMs, 400);
    row('ralph show --round', ms(found.showRoundMs), found.showRoundMs, 400);
    row('ralph why', ms(found.whyMs), found.whyMs, 600);
    row('ralph list --all, nothing running', ms(found.listDownMs), found.listDownMs, 400);
    row('ralph show, nothing running', ms(found.showDownMs), found.showDownMs, 400);
    if (size.longList === null) return;
    const long = await measureLongList({ runs: size.longList, temporalCli });
    row(`ralph list with ${long.runs} runs of 6 rounds`, ms(long.listMs), long.listMs, 600);
    row('ralph why there', ms(long.whyMs), long.whyMs, 600);
    row('processor time of `ralph stats` there', ms(long.statsCpuMs), long.statsCpuMs, 3000);
  },
  async search() {
    const found = await measureSearch({ megabytes: size.megabytes, temporalCli });
    say(`\n${found.megabytes.toFixed(0)} MB of transcripts, nothing running`);
    row('ralph search TEXT', ms(found.literalMs), found.literalMs, 1000);
    row('ralph search --ignore-case TEXT', ms(found.anyCaseMs));
    row('ralph search --regex PATTERN', ms(found.regexMs));
    row('ralph search in the objectives alone', ms(found.startMs));
  },
};
for (const [name, measure] of Object.entries(measurements)) {
  if (flags.only === undefined || flags.only === name) await measure();
}
if (broken > 0) {
  say(`\n${broken} beyond ${slack === 1 ? 'their limit' : `${slack} times their limit`}`);
  process.exitCode = 1;
}

function row(what, figure, value, limit) {
  const holds = limit === undefined || value <= limit * slack;
  if (!holds) broken += 1;
  const beside =
    limit === undefined
      ? ''
      : `   (at most ${limit}${slack === 1 || limit === 0 ? '' : ` × ${slack}`})${holds ? '' : ' BROKEN'}`;
  say(`  ${what.padEnd(52)}${figure.padStart(18)}${beside}`);
}

function ms(value) {
  return `${value.toFixed(0)} ms`;
}

function ratio(value) {
  return `${value.toFixed(2)} ×`;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
