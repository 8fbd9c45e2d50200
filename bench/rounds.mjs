// Many rounds of an agent that does next to nothing: what the engine itself costs in each.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { agent, shellLoop } from './agent.mjs';
import { growth, median, quantile } from './figures.mjs';
import { inPlace } from './place.mjs';

/**
 * The overhead of a round is the time from the end of the round before to its own end, without what the same agent takes
 * in a bare shell loop: Temporal's part, sandbox, disposal, checkpoint and every file are in it.
 */
export const measureRounds = ({ rounds, files = 100, temporalCli }) =>
  inPlace('rounds', temporalCli, (place) => measure(place, { rounds, files }), {
    files,
    config: { maxRounds: rounds },
  });

async function measure({ folder, home, repository, ralph, databaseBytes }, { rounds, files }) {
  ralph('up');
  const empty = databaseBytes();
  // Before and after: other work on the machine meanwhile slows both down.
  const half = Math.ceil(rounds / 2);
  const before = shellLoop({ folder, rounds: half, files });
  ralph(
    'run',
    'Count.',
    '--id',
    'bench',
    '--repo',
    repository,
    '--max-rounds',
    String(rounds),
    '--agent',
    'command',
    '--command',
    agent(),
  );
  const bare = [...before, ...shellLoop({ folder, rounds: half, files })];
  const run = path.join(home, 'runs', 'bench');
  const read = (round, file) => readFileSync(path.join(run, 'rounds', String(round), 'attempt-1', file), 'utf8');
  const outcomes = Array.from({ length: rounds }, (_, index) => JSON.parse(read(index + 1, 'outcome.json')));
  const ends = outcomes.map(({ endedAt }) => Date.parse(endedAt));
  const agentMs = median(bare.map((each) => each.agentMs));
  const overheads = ends.slice(1).map((end, index) => end - ends[index] - agentMs);
  const prompts = outcomes.slice(1).map(({ round }) => read(round, 'prompt.md').length - `${round}`.length);
  return {
    rounds,
    overheadMs: median(overheads),
    overheadP95Ms: quantile(overheads, 0.95),
    lastQuarterOverFirst: growth(overheads),
    /** Of the overhead: what lies between the recorded end of a round and the recorded start of the next. */
    betweenMs: median(outcomes.slice(1).map(({ startedAt }, index) => Date.parse(startedAt) - ends[index])),
    disposalMs: median(outcomes.map(({ receipt }) => receipt.ms)),
    promptsDiffer: new Set(prompts).size - 1,
    promptChars: prompts[0],
    mechanism: outcomes[0].receipt.mechanism,
    databaseKb: (databaseBytes() - empty) / 1024,
    bareAgentMs: agentMs,
    bareRoundMs: median(bare.map((each) => each.allMs)),
  };
}
