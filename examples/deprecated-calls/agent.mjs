// A small agent for `ralph run --agent command`: a codemod that knows its prompt and what it reads in the workspace.
// Objective it understands: … `oldName(a, b)` … `newName({ a, b })` …
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { findCalls, migrate } from './codemod.mjs';

const MOST_CALLS = 12;

const prompt = readFileSync(0, 'utf8');
const wanted = /`(?<from>\w+)\((?<parameters>[\w, ]+)\)`[^`]*`(?<to>\w+)\(\{/.exec(prompt)?.groups;
if (wanted === undefined)
  report({ status: 'blocked', blocker: 'the objective names no `old(a, b)` and `new({ a, b })`' });
const change = { from: wanted.from, to: wanted.to, parameters: wanted.parameters.split(/,\s*/) };

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' });
const sources = git('ls-files', '-z', '*.mjs', '*.js').split('\0').filter(Boolean);
const definition = new RegExp(`function ${change.from}\\(`);
const read = (file) => readFileSync(file, 'utf8');
const open = sources.filter((file) => !definition.test(read(file)) && findCalls(read(file), change.from).length > 0);
const count = (files) => files.reduce((sum, file) => sum + findCalls(read(file), change.from).length, 0);
const before = count(open);
console.log(`${before} calls of ${change.from} in ${open.length} files`);

let migrated = 0;
for (const file of open) {
  if (migrated === MOST_CALLS) break;
  const result = migrate(read(file), { ...change, most: MOST_CALLS - migrated });
  writeFileSync(file, result.text);
  migrated += result.migrated;
  console.log(`migrated ${result.migrated} in ${file}`);
}

const tests = spawnSync('node', ['--test'], { encoding: 'utf8' });
if (tests.status !== 0) {
  report({
    status: 'blocked',
    blocker: `node --test exits ${tests.status} after the change`,
    evidence: [tests.stdout.slice(-2000)],
  });
}
const passed = /^# pass (\d+)$/m.exec(tests.stdout)?.[1] ?? 'unknown';
const left = count(open);
const evidence = [`${migrated} calls migrated, ${left} left`, `node --test: ${passed} passed, exit 0`];
if (migrated > 0) git('commit', '--all', '--message', `Migrate ${migrated} calls of ${change.from} to ${change.to}`);
report(
  left > 0
    ? { status: 'continue', evidence, nextSteps: [`migrate the remaining ${left} calls of ${change.from}`] }
    : { status: 'complete', evidence },
);

function report({ status, evidence = [], nextSteps = [], blocker = '' }) {
  const summary =
    status === 'blocked' ? 'stopped' : `migrated ${migrated} of ${before} calls of ${change.from}; ${left} left`;
  writeFileSync(process.env.RALPH_REPORT_FILE, JSON.stringify({ status, summary, evidence, nextSteps, blocker }));
  process.exit(0);
}
