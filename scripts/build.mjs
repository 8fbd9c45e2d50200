// Compile into dist/: emitted in a folder beside it and put in its place at the end, so that a build that fails or is
// killed leaves the old one whole.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePrograms } from './bundle.mjs';
import { bundlePage } from './bundle-page.mjs';
import { ASSETS, FOLDERS, ROOT, STAMP, sourcesHash } from './sources.mjs';

const dist = path.join(ROOT, 'dist');

export async function build() {
  // Taken first: what is edited meanwhile counts as newer than this build.
  const hash = sourcesHash();
  const draft = path.join(ROOT, '.cache', `build-${process.pid}`);
  try {
    run(path.join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json', '--outDir', draft]);
    copyAssets(draft);
    mkdirSync(path.join(draft, 'bundle'));
    const workflows = [path.join(draft, 'workflows', 'index.js'), path.join(draft, 'bundle', 'workflow-bundle.js')];
    run(process.execPath, [path.join(draft, 'worker', 'bundle-workflows.js'), ...workflows]);
    await bundlePrograms(draft);
    await bundlePage(draft);
    chmodSync(path.join(draft, 'cli', 'main.js'), 0o755);
    writeFileSync(path.join(draft, STAMP), hash);
    const old = `${draft}-old`;
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(draft, dist);
    rmSync(old, { recursive: true, force: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function copyAssets(draft) {
  for (const folder of FOLDERS.filter((name) => existsSync(path.join(ROOT, name)))) {
    for (const file of readdirSync(path.join(ROOT, folder), { recursive: true })) {
      if (!ASSETS.includes(path.extname(file))) continue;
      const to = path.join(draft, folder, file);
      mkdirSync(path.dirname(to), { recursive: true });
      copyFileSync(path.join(ROOT, folder, file), to);
    }
  }
}

function run(command, args) {
  if (!existsSync(command)) throw new Error(`${command} is not there: install the dependencies first, with npm ci`);
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${path.basename(command)} ended with exit code ${status}:\n${stdout}${stderr}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await build();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
