// How long `ralph search` takes over many transcripts, with nothing running.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agent } from './agent.mjs';
import { median } from './figures.mjs';
import { inPlace } from './place.mjs';

const REPEATS = 5;
const ROUNDS = 50;
const LINES = 250;
/** Two kilobytes of what an agent's event stream has: text with escapes, and paths. */
const PARAGRAPH = 'The parser reads one token ahead.\n\tconst next = "tokens[0]"; // source/parse.js\n'.repeat(24);

export const measureSearch = ({ megabytes, temporalCli }) =>
  inPlace('search', temporalCli, async ({ repository, ralph, home }) => {
    const flags = ['--agent', 'command', '--command', agent(), '--max-rounds', '1'];
    ralph('run', 'Count.', '--id', 'run-1', '--repo', repository, ...flags);
    ralph('down', '--force');
    const bytes = writeTranscripts(path.join(home, 'runs'), megabytes * 1e6);
    const timed = (...args) => {
      const times = Array.from({ length: REPEATS }, () => {
        const from = performance.now();
        ralph('search', ...args);
        return performance.now() - from;
      });
      return median(times);
    };
    return {
      megabytes: bytes / 1e6,
      literalMs: timed('needle in round 1 of'),
      anyCaseMs: timed('--ignore-case', 'Needle in round 1 of'),
      regexMs: timed('--regex', 'needle in (round|try) 1 of'),
      startMs: timed('--kind', 'objective', 'Count.'),
    };
  });

/** Further runs with long transcripts, each with the text that is searched for once a round. Returns their bytes. */
function writeTranscripts(folder, wanted) {
  const first = path.join(folder, 'run-1');
  const request = readFileSync(path.join(first, 'request.json'), 'utf8');
  let bytes = 0;
  for (let run = 2; bytes < wanted; run++) {
    const to = path.join(folder, `run-${run}`);
    for (let round = 1; round <= ROUNDS && bytes < wanted; round++) {
      const attempt = path.join(to, 'rounds', String(round), 'attempt-1');
      mkdirSync(attempt, { recursive: true });
      for (const name of ['prompt.md', 'outcome.json']) {
        cpSync(path.join(first, 'rounds', '1', 'attempt-1', name), path.join(attempt, name));
      }
      const texts = Array.from({ length: LINES }, (_, n) => `${n} ${PARAGRAPH}`);
      texts.push(`needle in round ${round} of run ${run}`);
      const lines = texts.map((text) => JSON.stringify({ type: 'assistant', message: { content: [{ text }] } }));
      const transcript = `${lines.join('\n')}\n`;
      writeFileSync(path.join(attempt, 'transcript.jsonl'), transcript);
      bytes += Buffer.byteLength(transcript);
    }
    writeFileSync(path.join(to, 'request.json'), request.replace('"runId": "run-1"', `"runId": "run-${run}"`));
  }
  return bytes;
}
