// The main job on real input: migrate 47 deprecated calls in a git repository, 12 a round, with `ralph run`.
// Needs nothing but Node; sets up what is missing. Has a RALPH_HOME of its own and leaves nothing running.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUp } from './set-up.mjs';
import { ROOT } from './sources.mjs';

const OBJECTIVE = `Replace every call of the deprecated \`formatPrice(amount, currency)\` with \`formatMoney({ amount, currency })\`.
Keep what the functions return, and leave strings and comments alone. Done when no call is left and \`node --test\` passes.`;

const { temporalCli } = await setUp({ without: ['bubblewrap'] });
const state = process.env.XDG_STATE_HOME || path.join(os.homedir(), '.local', 'state');
const folder = path.join(state, 'ralph-demo');
const shop = path.join(folder, 'shop');
const example = path.join(ROOT, 'examples', 'deprecated-calls');
const env = { ...process.env, RALPH_HOME: path.join(folder, 'home'), TEMPORAL_CLI: temporalCli };
for (const name of Object.keys(env)) if (/^TEMPORAL_(?!CLI$)/.test(name)) delete env[name];

mkdirSync(env.RALPH_HOME, { recursive: true, mode: 0o700 });
rmSync(shop, { recursive: true, force: true });
must(process.execPath, [path.join(example, 'make-repository.mjs'), shop]);

const runId = `demo-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
try {
  const { code } = ralph(
    ['run', OBJECTIVE, '--repo', shop, '--id', runId, '--agent', 'command'],
    ['--command', `node ${quoted(path.join(example, 'agent.mjs'))}`, '--read', example],
    ['--gate', 'node --test'],
    await sandboxFlags(),
  );
  ralph(['show', runId]);
  process.exitCode = code;
} finally {
  ralph(['down', '--force']);
}
say(`
The branch ralph/${runId} of ${shop} holds the work. Nothing is left running. To look at the run:

  export RALPH_HOME=${quoted(env.RALPH_HOME)}
  alias ralph=${quoted(`node ${path.join(ROOT, 'dist', 'cli', 'main.js')}`)}
  ralph show ${runId} --round 2
  ralph log ${runId} --round 2
  ralph diff ${runId} --stat
  ralph up                     # starts Temporal again, with its web UI`);

/** What this machine can hold decides the level: the demo says so and never quietly takes a lower one. */
async function sandboxFlags() {
  const url = pathToFileURL(path.join(ROOT, 'dist', 'agents', 'containment', 'choose', 'choose-containment.js')).href;
  const { describeContainment } = await import(url);
  const offers = await describeContainment();
  const offered = (level) => offers.find(({ sandbox }) => sandbox.level === level && sandbox.network);
  const { mechanism, cause } = offered('workspace-write');
  if (mechanism !== null) return [];
  say(`${cause}\nThe demo goes on with full access to this machine, held by: ${offered('full-access').mechanism}.`);
  return ['--sandbox', 'full-access'];
}

function ralph(...args) {
  const { status, error } = spawnSync(process.execPath, [path.join(ROOT, 'dist', 'cli', 'main.js'), ...args.flat()], {
    env,
    stdio: 'inherit',
  });
  if (error) throw error;
  return { code: status ?? 1 };
}

function must(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with exit code ${status}`);
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
