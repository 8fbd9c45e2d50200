// Take the pictures of the README from the demo, so that they stay true: docs/images/{list,run,round}.png.
// Needs a Chromium on PATH, or CHROMIUM.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from '../tests/page/support/find-browser.mjs';
import { ROOT } from './sources.mjs';

const executablePath = findBrowser();
if (executablePath === null) throw new Error('There is no Chromium on PATH (Debian: apt-get install chromium).');
const state = process.env.XDG_STATE_HOME || path.join(os.homedir(), '.local', 'state');
const home = path.join(state, 'ralph-demo', 'home');
const env = { ...process.env, RALPH_HOME: home };

run(process.execPath, [path.join(ROOT, 'scripts', 'demo.mjs')]);
run(process.execPath, [path.join(ROOT, 'dist', 'cli', 'main.js'), 'ui']);
try {
  const { port, token } = JSON.parse(readFileSync(path.join(home, 'page.json'), 'utf8'));
  const runId = readdirSync(path.join(home, 'runs')).toSorted().at(-1);
  await shoot({ origin: `http://127.0.0.1:${port}`, token, runId });
} finally {
  run(process.execPath, [path.join(ROOT, 'dist', 'cli', 'main.js'), 'ui', '--stop']);
}

async function shoot({ origin, token, runId }) {
  const folder = path.join(ROOT, 'docs', 'images');
  mkdirSync(folder, { recursive: true });
  const sandbox = process.geteuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args: [...sandbox, '--disable-gpu'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${origin}/#token=${token}`);
    const pictures = [
      { name: 'list', hash: '#/', shown: '.runs .spark rect', height: 420 },
      { name: 'run', hash: `#/runs/${runId}`, shown: '.plot canvas', height: 1000 },
      { name: 'round', hash: `#/runs/${runId}/rounds/2/diff`, shown: '.diff .insert', height: 800 },
    ];
    for (const { name, hash, shown, height } of pictures) {
      await page.setViewportSize({ width: 1280, height });
      await page.goto(`${origin}/${hash}`);
      await page.locator(shown).first().waitFor();
      // Where this machine keeps it tells a reader nothing.
      await page.addStyleTag({ content: '.service.wide { display: none }' });
      await page.screenshot({ path: path.join(folder, `${name}.png`) });
    }
  } finally {
    await browser.close();
  }
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${path.basename(args[0])} ended with exit code ${status}`);
}
