// Bring a checkout to where everything runs: dependencies by the lockfile, the build, the Temporal command line. Needs
// nothing but Node, and does only what is missing or stale.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { missingPackages } from './prerequisites.mjs';
import { ROOT, sourcesHash, STAMP } from './sources.mjs';

const note = (text) => process.stderr.write(`${text}\n`);

/**
 * `without`: Debian packages that the caller can do without. Returns the path of the Temporal command line and which of
 * `without` are missing; throws where anything else is.
 */
export async function setUp({ without }) {
  const missing = missingPackages();
  const needed = missing.filter((name) => !without.includes(name));
  if (needed.length > 0) {
    throw new Error(`Missing on this machine: ${needed.join(', ')}. On Debian: apt-get install ${needed.join(' ')}`);
  }
  if (!dependenciesAreFresh()) {
    note('Installing dependencies by the lockfile.');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  if (builtFrom() !== sourcesHash()) {
    note('Building.');
    // Its bundler is one of the dependencies.
    const { build } = await import('./build.mjs');
    await build();
  }
  const { ensureTemporalCli } = await import(
    pathToFileURL(path.join(ROOT, 'dist', 'host', 'server', 'temporal-cli.js')).href
  );
  const temporalCli = await ensureTemporalCli({ ralphHome: path.join(ROOT, '.cache'), env: process.env, onNote: note });
  return { temporalCli, missing };
}

/** Whether what npm says it installed is what the lockfile asks for. An install that was killed says nothing. */
function dependenciesAreFresh() {
  const installed = readText(path.join(ROOT, 'node_modules', '.package-lock.json'));
  if (installed === null) return false;
  const has = JSON.parse(installed).packages;
  const wanted = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(
    ([name, { version, optional }]) => name === '' || has[name]?.version === version || (optional && !(name in has)),
  );
}

const builtFrom = () => readText(path.join(ROOT, 'dist', STAMP));

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with exit code ${status}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { temporalCli, missing } = await setUp({ without: ['bubblewrap'] });
    note(`Ready. Temporal: ${temporalCli}${missing.length > 0 ? `. Missing: ${missing.join(', ')}` : ''}`);
  } catch (error) {
    note(error.message);
    process.exitCode = 1;
  }
}
