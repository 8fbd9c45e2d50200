// Where a benchmark works: a folder of its own with a repository of 100 files, a RALPH_HOME, and the built command line.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../scripts/sources.mjs';

const FEW_FILES = 100;
const BIN = path.join(ROOT, 'dist', 'cli', 'main.js');

/**
 * Make the place, run `work` in it, and leave nothing behind: neither processes nor files. Not below the machine's temp
 * folder, which the sandbox hides.
 */
export async function inPlace(name, temporalCli, work, { files = FEW_FILES, config = {} } = {}) {
  const folder = path.join(ROOT, '.cache', 'bench', `${name}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'home'), { recursive: true, mode: 0o700 });
  const home = path.join(folder, 'home');
  writeFileSync(path.join(home, 'config.json'), JSON.stringify(config));
  const env = { ...process.env, RALPH_HOME: home, TEMPORAL_CLI: temporalCli };
  for (const key of Object.keys(env)) if (/^TEMPORAL_(?!CLI$)/.test(key)) delete env[key];
  const place = {
    folder,
    home,
    env,
    repository: makeRepository(path.join(folder, 'repository'), files),
    /** Bytes of Temporal's database. Its log is part of it. */
    databaseBytes: () =>
      ['temporal.db', 'temporal.db-wal']
        .map((file) => statSync(path.join(home, file), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, bytes) => sum + bytes),
    /** Of one command of ours and all that it waited for: seconds of processor time. */
    cpuSeconds(...args) {
      const script = '"$@" >/dev/null 2>&1 || exit; times';
      const { status, stdout } = spawnSync('bash', ['-c', script, 'bash', process.execPath, BIN, ...args], {
        env,
        cwd: folder,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`ralph ${args[0]} ended with exit code ${status}`);
      const [, children] = stdout.trim().split('\n');
      return children
        .split(' ')
        .map((time) => /^(\d+)m([\d.]+)s$/.exec(time))
        .reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
    },
    /** Run one command of ours to its end; throws where it fails. Returns what it printed. */
    ralph(...args) {
      const { status, stdout, stderr, error } = spawnSync(process.execPath, [BIN, ...args], {
        env,
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      if (error) throw error;
      if (status !== 0) throw new Error(`ralph ${args[0]} ended with exit code ${status}:\n${stdout}${stderr}`);
      return stdout;
    },
    /** Start one command of ours and go on. */
    start: (...args) => spawn(process.execPath, [BIN, ...args], { env, cwd: folder, stdio: 'ignore' }),
  };
  try {
    return await work(place);
  } finally {
    spawnSync(process.execPath, [BIN, 'down', '--force'], { env, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}

export function makeRepository(folder, files = FEW_FILES) {
  mkdirSync(folder, { recursive: true });
  const git = (...args) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@example.invalid');
  for (let file = 0; file < files; file++) {
    const lines = Array.from({ length: 40 }, (_, line) => `export const value${line} = ${file * line};\n`);
    const place = path.join(folder, 'source', `part-${file % Math.max(10, files / 100)}`, `file-${file}.js`);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, lines.join(''));
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  return folder;
}
